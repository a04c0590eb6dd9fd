package io.nopanic.breaker;

/** So many calls in flight are overdue. */
record FixedOverdue(long calls) implements Overdue {

    @Override
    public long overdue(long nowNanos) {
        return calls;
    }

    @Override
    public long look(long nowNanos) {
        return calls;
    }
}
