package io.nopanic.ratelimit;

import io.nopanic.time.Nanos;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;

/**
 * A bucket that holds at most {@code burst} permits and is refilled continuously.
 *
 * <p><b>How it works.</b> This is the generic cell rate algorithm of ITU-T I.371 (annex A) in its virtual scheduling form, which is the token
 * bucket seen from the other side: the only thing remembered is the moment at which the bucket will be full if nothing more is taken. Taking
 * permits moves that moment, or the present if it is past, by the time that their refill takes; they are there if the moment does not come
 * to lie further ahead than an empty bucket needs to fill. Time that passes while the bucket is full moves nothing, so it earns nothing.
 * In any half-open span of time of length {@code w} at most {@code burst + rate * w} permits are taken.
 *
 * <p>Moments are counted in units (see {@link Pace}) from the start of an <em>epoch</em>. An epoch ends when the rate changes, or when
 * the present has moved too far from its start for units to fit in a word: with a plain rate after 73 years, with the finest unit after a second. Its
 * word stays closed, so whoever still looks at it looks again.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>word of the epoch</td><td>anybody, by compare-and-set, while not {@link #CLOSED}; the holder of the line's lock closes it by a swap
 * and opens it by a volatile write</td></tr>
 * <tr><td>{@code epoch}</td><td>holder of the line's lock while closed; volatile for everybody else</td></tr>
 * <tr><td>everything else</td><td>holder of the line's lock while closed</td></tr>
 * </table>
 */
final class Bucket extends Meter {

    private static final long CLOSED = Long.MIN_VALUE;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private volatile Epoch epoch;

    /** When the bucket will be full. */
    private long fullAtUnits;

    /** Permits that were given back since the version changed, in units. May overflow; used by difference only. */
    private long givenBackUnits;

    private long version;
    private boolean blocked;
    private long blockedUntilNanos;

    /** A bucket that is full. */
    Bucket(Pace pace, long nowNanos) {
        epoch = new Epoch(pace, nowNanos, 0);
    }

    @Override
    int burst() {
        return epoch.pace.burst;
    }

    @Override
    boolean tryTake(int permits, long nowNanos) {
        while (true) {
            Epoch current = epoch;
            long seenUnits = current.word();
            if (seenUnits == CLOSED || permits > current.pace.burst || !current.reaches(nowNanos)) {
                return false;
            }
            long nextUnits = current.afterTaking(seenUnits, permits, nowNanos);
            if (nextUnits - current.units(nowNanos) > current.pace.capacityUnits) {
                return false;
            }
            if (current.replace(seenUnits, nextUnits)) {
                return true;
            }
        }
    }

    /** Whether so many permits are there and nobody waits. */
    boolean has(int permits, long nowNanos) {
        Epoch current = epoch;
        long seenUnits = current.word();
        return seenUnits != CLOSED
                && current.reaches(nowNanos)
                && current.lackingUnits(seenUnits, permits, nowNanos) <= 0;
    }

    /**
     * Takes as many permits as are there, if nobody waits.
     *
     * @param most how many at most
     * @return how many were taken
     */
    int takeUpTo(int most, long nowNanos) {
        while (true) {
            Epoch current = epoch;
            long seenUnits = current.word();
            if (seenUnits == CLOSED || !current.reaches(nowNanos)) {
                return 0;
            }
            long there = current.availableUnits(seenUnits, nowNanos) / current.pace.unitsPerPermit;
            int taken = (int) Math.min(most, there);
            if (taken <= 0) {
                return 0;
            }
            if (current.replace(seenUnits, current.afterTaking(seenUnits, taken, nowNanos))) {
                return taken;
            }
        }
    }

    @Override
    long takeOrWaitNanos(int permits, long nowNanos) {
        while (true) {
            Epoch current = epoch;
            long seenUnits = current.word();
            if (seenUnits == CLOSED || permits > current.pace.burst || !current.reaches(nowNanos)) {
                return UNKNOWN;
            }
            long lackingUnits = current.lackingUnits(seenUnits, permits, nowNanos);
            if (lackingUnits > 0) {
                return current.pace.nanosFor(lackingUnits);
            }
            if (current.replace(seenUnits, current.afterTaking(seenUnits, permits, nowNanos))) {
                return 0;
            }
        }
    }

    @Override
    void close() {
        long seenUnits = epoch.close();
        if (seenUnits != CLOSED) {
            fullAtUnits = seenUnits;
        }
    }

    @Override
    void open() {
        epoch.open(fullAtUnits);
    }

    @Override
    boolean take(int permits, long nowNanos) {
        Epoch current = epochAt(nowNanos);
        if (permits > current.pace.burst || current.lackingUnits(fullAtUnits, permits, nowNanos) > 0) {
            return false;
        }
        fullAtUnits = current.afterTaking(fullAtUnits, permits, nowNanos);
        return true;
    }

    @Override
    long waitNanos(long permits, long nowNanos) {
        Epoch current = epochAt(nowNanos);
        Pace pace = current.pace;
        long debtUnits = current.debtUnits(fullAtUnits, nowNanos);
        if (permits <= (Long.MAX_VALUE - debtUnits) / pace.unitsPerPermit) {
            long lackingUnits = debtUnits + permits * pace.unitsPerPermit - pace.capacityUnits;
            return lackingUnits <= 0 ? 0 : Math.min(pace.nanosFor(lackingUnits), Nanos.FOREVER);
        }
        double roughUnits = (double) permits * pace.unitsPerPermit + debtUnits - pace.capacityUnits;
        double roughNanos = roughUnits / pace.unitsPerNano;
        return (long) Math.min(roughNanos, (double) Nanos.FOREVER);
    }

    @Override
    int available(long nowNanos) {
        Epoch current = epochAt(nowNanos);
        return (int) (Math.max(0, current.availableUnits(fullAtUnits, nowNanos)) / current.pace.unitsPerPermit);
    }

    /** The moment at which the refill of the permits taken last will be complete, made comparable over everything given back later. */
    @Override
    long mark() {
        return fullAtUnits + givenBackUnits;
    }

    @Override
    long version() {
        return version;
    }

    /**
     * The refill of those permits occupies the time up to the moment that the mark tells. What of it is past has been lost to nobody: had
     * they not been taken, the bucket would have been full then. What is still ahead is given back. Later permits move up in that
     * time, so everything given back since counts as if it had been before.
     */
    @Override
    void giveBack(int permits, long mark, long nowNanos) {
        Epoch current = epochAt(nowNanos);
        long aheadUnits = mark - givenBackUnits - current.units(nowNanos);
        long costUnits = permits * current.pace.unitsPerPermit;
        putBack(Math.max(0, Math.min(aheadUnits, costUnits)));
    }

    /**
     * Puts permits in that had been taken, as far as there is room. As with those that are given back, later ones move up.
     *
     * @return how many
     */
    int add(int permits, long nowNanos) {
        Epoch current = epochAt(nowNanos);
        long room = current.debtUnits(fullAtUnits, nowNanos) / current.pace.unitsPerPermit;
        int added = (int) Math.min(permits, room);
        putBack(added * current.pace.unitsPerPermit);
        return added;
    }

    private void putBack(long units) {
        fullAtUnits -= units;
        givenBackUnits += units;
    }

    @Override
    void change(Rate next, long nowNanos) {
        change(next.pace(), nowNanos);
    }

    /**
     * Changes the rate. The permits that are there stay, as far as the new burst allows; fractions of a permit are kept as fractions, rounded down. A
     * block goes on to the moment it was to end.
     */
    void change(Pace next, long nowNanos) {
        Epoch current = epochAt(nowNanos);
        long blockNanos = blocked ? Math.max(0, blockedUntilNanos - nowNanos) : 0;
        long keptUnits;
        if (blockNanos > 0 && fullAtUnits <= current.oneLeftUnits(blockNanos, nowNanos)) {
            keptUnits = next.unitsPerPermit - blockNanos * next.unitsPerNano;
        } else {
            long availableUnits = current.availableUnits(fullAtUnits, nowNanos);
            keptUnits = Math.min(converted(availableUnits, current.pace, next), next.capacityUnits);
        }
        begin(new Epoch(next, nowNanos, CLOSED), next.capacityUnits - keptUnits);
        if (blockNanos > 0) {
            block(blockNanos, nowNanos);
        }
    }

    /**
     * Lets nothing pass for so long, and one permit after it. A block that ends later stays as it is.
     *
     * @param nanos at most the span that the unit was made for
     */
    void block(long nanos, long nowNanos) {
        if (!blocked || nowNanos + nanos - blockedUntilNanos > 0) {
            blocked = true;
            blockedUntilNanos = nowNanos + nanos;
        }
        fullAtUnits = Math.max(fullAtUnits, epochAt(nowNanos).oneLeftUnits(nanos, nowNanos));
        forgetMarks();
    }

    private Epoch epochAt(long nowNanos) {
        Epoch current = epoch;
        if (!current.reaches(nowNanos)) {
            begin(new Epoch(current.pace, nowNanos, CLOSED), current.debtFarAwayUnits(fullAtUnits, nowNanos));
        }
        return epoch;
    }

    private void begin(Epoch next, long debtUnits) {
        epoch = next;
        fullAtUnits = debtUnits;
        forgetMarks();
    }

    private void forgetMarks() {
        version++;
        givenBackUnits = 0;
    }

    /** Permits stay permits; time without any, when there is less than none, stays time. */
    private static long converted(long units, Pace from, Pace to) {
        return units >= 0
                ? scaled(units, to.unitsPerPermit, from.unitsPerPermit, to.capacityUnits)
                : -scaled(-units, to.unitsPerNano, from.unitsPerNano, 2 * Pace.MAX_UNITS);
    }

    private static long scaled(long value, long factor, long divisor, long limit) {
        BigInteger result =
                BigInteger.valueOf(value).multiply(BigInteger.valueOf(factor)).divide(BigInteger.valueOf(divisor));
        return result.min(BigInteger.valueOf(limit)).longValue();
    }

    /** A rate, and the moment from which units are counted. The word stands 128 bytes away from whatever is next to it. */
    private static final class Epoch {

        private static final int WORD = 16;

        final Pace pace;
        private final long startNanos;
        private final long[] words = new long[2 * WORD + 1];

        Epoch(Pace pace, long startNanos, long fullAtUnits) {
            this.pace = pace;
            this.startNanos = startNanos;
            words[WORD] = fullAtUnits;
        }

        long word() {
            return (long) WORDS.getVolatile(words, WORD);
        }

        boolean replace(long seenUnits, long nextUnits) {
            return WORDS.compareAndSet(words, WORD, seenUnits, nextUnits);
        }

        long close() {
            return (long) WORDS.getAndSet(words, WORD, CLOSED);
        }

        void open(long fullAtUnits) {
            WORDS.setVolatile(words, WORD, fullAtUnits);
        }

        boolean reaches(long nowNanos) {
            long elapsedNanos = nowNanos - startNanos;
            return elapsedNanos <= pace.horizonNanos && elapsedNanos >= -pace.horizonNanos;
        }

        long units(long nowNanos) {
            return (nowNanos - startNanos) * pace.unitsPerNano;
        }

        /** What is missing in the bucket. */
        long debtUnits(long fullAtUnits, long nowNanos) {
            return Math.max(0, fullAtUnits - units(nowNanos));
        }

        /** What is in the bucket; negative while it is blocked. */
        long availableUnits(long fullAtUnits, long nowNanos) {
            return pace.capacityUnits - debtUnits(fullAtUnits, nowNanos);
        }

        /** What has to be refilled before so many permits can be taken; 0 or less if they are there. */
        long lackingUnits(long fullAtUnits, int permits, long nowNanos) {
            return permits * pace.unitsPerPermit - availableUnits(fullAtUnits, nowNanos);
        }

        long afterTaking(long fullAtUnits, int permits, long nowNanos) {
            return Math.max(fullAtUnits, units(nowNanos)) + permits * pace.unitsPerPermit;
        }

        /** When the bucket will be full if one permit is to be there after so long, and none before. */
        long oneLeftUnits(long afterNanos, long nowNanos) {
            return units(nowNanos) + afterNanos * pace.unitsPerNano + pace.capacityUnits - pace.unitsPerPermit;
        }

        /** {@link #debtUnits} for a present that this epoch does not reach. A clock that went back so far leaves an empty bucket. */
        long debtFarAwayUnits(long fullAtUnits, long nowNanos) {
            long elapsedNanos = nowNanos - startNanos;
            if (elapsedNanos < 0) {
                return pace.capacityUnits;
            }
            return elapsedNanos > 2 * pace.horizonNanos ? 0 : debtUnits(fullAtUnits, nowNanos);
        }
    }
}
