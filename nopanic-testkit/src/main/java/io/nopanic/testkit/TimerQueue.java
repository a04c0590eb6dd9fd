package io.nopanic.testkit;

import io.nopanic.time.Nanos;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The timers of a {@link VirtualTime} in the order of their moments, then of scheduling. Guarded by the lock of that time. */
final class TimerQueue {

    private final TreeSet<Entry> entries = new TreeSet<>(Entry.ORDER);
    private long scheduled;

    Entry add(long nowNanos, long delayNanos, Runnable action) {
        long inNanos = Math.max(0, Math.min(delayNanos, Nanos.FOREVER));
        Entry entry = new Entry(nowNanos + inNanos, scheduled++, action);
        entries.add(entry);
        return entry;
    }

    boolean remove(Entry entry) {
        return entries.remove(entry);
    }

    /** The next timer, which stays. */
    @Nullable Entry first() {
        return entries.isEmpty() ? null : entries.first();
    }

    /** Takes out the next timer if it is due by {@code momentNanos}. */
    @Nullable Entry pollDue(long momentNanos) {
        return isEmpty() || entries.first().dueNanos - momentNanos > 0 ? null : entries.pollFirst();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    /** A scheduled action, known by its number. */
    static final class Entry {
        /** All moments lie within half the range of a {@code long}, so that differences order them. */
        static final Comparator<Entry> ORDER = (a, b) -> {
            long difference = a.dueNanos - b.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(a.number, b.number);
        };

        final long dueNanos;
        final long number;
        final Runnable action;

        private Entry(long dueNanos, long number, Runnable action) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.action = action;
        }
    }
}
