package io.nopanic.ratelimit;

/**
 * What counts permits: the part of a limiter that knows the rate and nothing of waiting.
 *
 * <p>Anybody may take permits without a lock or through the meter's own, until somebody <em>closes</em> the meter. From then on it belongs to
 * whoever holds the lock of the {@link Line}, until that one opens it again. The line keeps it closed while anybody waits, so nobody
 * can take a permit past those who do.
 */
abstract class Meter {

    /** The answer of {@link #takeOrWaitNanos} when only the line can tell. */
    static final long UNKNOWN = -1;

    /** The most permits that can ever be there at one moment. */
    abstract int burst();

    /** Whether {@link #tryTake} uses the time that it is given. */
    boolean readsTime() {
        return true;
    }

    /**
     * Takes permits if they are there, nobody waits, and the meter can tell without the line.
     *
     * @param nowNanos the time, if {@link #readsTime}
     */
    abstract boolean tryTake(int permits, long nowNanos);

    /**
     * Takes permits if they are there and nobody waits.
     *
     * @return 0 if they were taken; how many nanoseconds from now they will be there; or {@link #UNKNOWN}
     */
    abstract long takeOrWaitNanos(int permits, long nowNanos);

    // ---------------- everything below under the line's lock

    /** From now on only the holder of the line's lock takes permits. Does nothing to a closed meter. */
    abstract void close();

    /** Lets everybody take permits again. */
    abstract void open();

    /** Takes permits if they are there. Only while closed, as all of the following. */
    abstract boolean take(int permits, long nowNanos);

    /**
     * When permits will be there, if all that come until then go to those who wait for them.
     *
     * @param permits how many; may be more than the burst, as the sum of several callers' is
     * @return nanoseconds from now, rounded up; 0 if they are there; at most {@link io.nopanic.time.Nanos#FOREVER}
     */
    abstract long waitNanos(long permits, long nowNanos);

    /** How many permits are there. */
    abstract int available(long nowNanos);

    /** What {@link #giveBack} has to know of the permits that were taken last. */
    abstract long mark();

    /** Changes whenever marks lose their meaning. */
    abstract long version();

    /**
     * Takes back permits that were taken but not used, as far as not having taken them would have made a difference: those that would since
     * have been lost because more than the burst cannot be kept are not given back.
     *
     * @param mark what {@link #mark()} was right after they were taken
     */
    abstract void giveBack(int permits, long mark, long nowNanos);

    /**
     * Changes the rate. Permits that are there stay, as far as the new one allows.
     *
     * @param next has been found to suit this kind of meter
     */
    abstract void change(Rate next, long nowNanos);
}
