package io.nopanic.breaker;

/** Tells how many calls in flight have been so for at least the slow-call time. */
interface Overdue {

    /** No call in flight counts. */
    Overdue NONE = new Overdue() {
        @Override
        public long overdue(long nowNanos) {
            return 0;
        }

        @Override
        public long look(long nowNanos) {
            return 0;
        }
    };

    /** How many. */
    long overdue(long nowNanos);

    /** No fewer than there are, and quick to tell; those that join them or grow old at just this moment may be missing for a while. */
    default long atMost(long nowNanos) {
        return overdue(nowNanos);
    }

    /** How many, for a conclusion that is to hold until more may be. */
    long look(long nowNanos);
}
