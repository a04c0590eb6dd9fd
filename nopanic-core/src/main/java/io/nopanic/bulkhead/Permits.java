package io.nopanic.bulkhead;

/**
 * How many permits there are, and which of them are free: for everybody in {@link Stripes}, as long as those are open, and for the holder of the
 * queue's lock alone while they are closed.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code stripes}, {@code limit}</td><td>holder of the queue's lock; volatile for everybody else</td></tr>
 * <tr><td>everything else</td><td>holder of the queue's lock, who alone reads it</td></tr>
 * </table>
 *
 * <p>Stripes that a resizing has replaced stay closed, so whoever still looks at them is sent to the queue, as by any that are closed.
 */
final class Permits {

    private volatile Stripes stripes;
    private volatile int limit;

    private boolean open = true;

    /** Permits that are free while closed. Negative: so many more are in use than there are, since the limit was lowered. */
    private int spare;

    Permits(int limit) {
        this.limit = limit;
        stripes = new Stripes(Stripes.suitable(limit));
        stripes.open(limit);
    }

    /** Takes a permit. See {@link Stripes#tryTake}. */
    long tryTake() {
        return stripes.tryTake();
    }

    /** Gives a permit back, unless closed. */
    boolean tryGiveBack(long permit) {
        return stripes.tryGiveBack(permit);
    }

    int limit() {
        return limit;
    }

    // ---------------- everything below under the queue's lock

    boolean isOpen() {
        return open;
    }

    /** Takes all free permits away from everybody else. */
    void close() {
        if (open) {
            open = false;
            spare = stripes.close();
        }
    }

    /** Lets everybody have what is free, unless more is in use than may be. */
    void openIfPossible() {
        if (!open && spare >= 0) {
            open = true;
            stripes.open(spare);
        }
    }

    /** How many permits are free, for everybody or for those who wait; negative if more are in use than there are. */
    long free() {
        return open ? stripes.free() : spare;
    }

    /** Takes a permit that is free. While closed, as all of the following. */
    boolean takeSpare() {
        if (spare <= 0) {
            return false;
        }
        spare--;
        return true;
    }

    void giveBackSpare() {
        spare++;
    }

    void resize(int newLimit) {
        int suitable = Stripes.suitable(newLimit);
        if (suitable != stripes.count()) {
            stripes = new Stripes(suitable);
        }
        spare += newLimit - limit;
        limit = newLimit;
    }
}
