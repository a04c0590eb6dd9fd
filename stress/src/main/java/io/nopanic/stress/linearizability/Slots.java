package io.nopanic.stress.linearizability;

import org.jspecify.annotations.Nullable;

/** Something for each thread of a scenario, which only that thread uses. */
final class Slots<T> {

    /** More than any scenario has threads, counting those before and after the parallel part. */
    private static final int MAX_THREADS = 8;

    private final @Nullable Object[] slots = new Object[MAX_THREADS];

    @SuppressWarnings("unchecked")
    @Nullable T get(int thread) {
        return (T) slots[thread];
    }

    void set(int thread, @Nullable T value) {
        slots[thread] = value;
    }
}
