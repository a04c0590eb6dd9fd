package io.nopanic.time;

import org.jspecify.annotations.Nullable;

/**
 * The timers of a {@link WheelTimer}, sorted by when they are due: a hierarchical timing wheel. Not thread-safe; knows neither clocks
 * nor threads, all time comes in.
 *
 * <p><b>Theory of operation.</b> Scheme 7 of G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels: Data Structures for the
 * Efficient Implementation of a Timer Facility", SOSP 1987. Time is counted in ticks of {@value #TICK_NANOS} ns from an
 * origin. A tick number is read as {@value #LEVELS} digits to the base 64, and level <i>n</i> is a wheel with one slot for each value of
 * digit <i>n</i>, that is, a slot covers 64<sup><i>n</i></sup> ticks. A timer sits on the level of the highest digit in which
 * its tick differs from the current one, in the slot of its own digit there. When the current tick reaches the first tick of an
 * occupied slot, the timers in it are dealt out again; now a higher digit agrees, so each lands on a lower level, or is due.
 *
 * <p>What follows from that:
 * <ul>
 *   <li>Adding and removing are O(1): a slot is a doubly linked list through the timers themselves. A timer is moved at most once per
 *       level in its life.
 *   <li>All timers of a level are due before all timers of the next level, and higher digits of timers are never below those of the current
 *       tick. So the next occupied slot is the lowest bit in the occupancy word of the lowest occupied level, and the ticks
 *       between cost nothing.
 *   <li>When a slot is dealt out, all lower levels are empty, because their timers were due before. So timers of the same tick keep the order in
 *       which they were added.
 *   <li>A tick is rounded up when a timer is added and down when it is polled, so a timer is never early, and late by less than two
 *       ticks.
 * </ul>
 *
 * <p>Eight digits hold 2<sup>48</sup> ticks, more than the 2<sup>47</sup> in the whole range of a {@code long} of nanoseconds. The difference to the
 * origin is read as unsigned, so the clock may overflow; 584 years after the origin the wheel itself would.
 */
final class TimerWheel {

    static final int TICK_SHIFT = 17;

    /** About 131 microseconds: a timeout of a few hundred microseconds is still told apart from its neighbours. */
    static final long TICK_NANOS = 1L << TICK_SHIFT;

    static final int LEVELS = 8;

    private static final int DIGIT_BITS = 6;
    private static final int SLOTS = 1 << DIGIT_BITS;

    /** The list of those that are due, after those of all slots. */
    private static final int DUE = LEVELS * SLOTS;

    private static final int NOWHERE = -1;
    private static final long NO_TICK = Long.MAX_VALUE;

    private final long originNanos;
    private final @Nullable Node[] first = new @Nullable Node[DUE + 1];
    private final @Nullable Node[] last = new @Nullable Node[DUE + 1];

    /** Per level, a bit for each slot that holds a timer. */
    private final long[] occupied = new long[LEVELS];

    private long currentTick;
    private int size;

    /**
     * @param originNanos the clock's reading now
     */
    TimerWheel(long originNanos) {
        this.originNanos = originNanos;
    }

    /** How many timers there are. */
    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /**
     * Adds a timer that is in no wheel.
     *
     * @param dueNanos when it is due, at the most {@link Nanos#FOREVER} after {@code nowNanos}
     * @param nowNanos the time, not before the origin
     */
    void add(Node node, long dueNanos, long nowNanos) {
        long nowTick = (nowNanos - originNanos) >>> TICK_SHIFT;
        if (nowTick > currentTick && nowTick < nextTick()) {
            // Nothing happens up to now. Known levels come from the distance to the current tick, so keep that small.
            currentTick = nowTick;
        }
        node.tick = (dueNanos - originNanos + TICK_NANOS - 1) >>> TICK_SHIFT;
        link(node);
        size++;
    }

    /**
     * Takes a timer out.
     *
     * @return {@code false} if it was not in the wheel (any more)
     */
    boolean remove(Node node) {
        if (node.list == NOWHERE) {
            return false;
        }
        unlink(node);
        size--;
        return true;
    }

    /**
     * Takes out the next timer that is due: of those, the one with the earliest tick, and of those, the one that was added first.
     *
     * @return {@code null} if none is due
     */
    @Nullable Node poll(long nowNanos) {
        long nowTick = (nowNanos - originNanos) >>> TICK_SHIFT;
        while (first[DUE] == null) {
            long nextTick = nextTick();
            if (nextTick > nowTick) {
                return null;
            }
            currentTick = nextTick;
            dealOut(nextList());
        }
        Node node = first[DUE];
        remove(node);
        return node;
    }

    /**
     * How long it is until {@link #poll} has something to do, be it only to sort timers by finer steps; zero or less means now.
     *
     * @return nanoseconds, {@link Nanos#FOREVER} without timers and less with any
     */
    long nanosUntilNext(long nowNanos) {
        if (first[DUE] != null) {
            return 0;
        }
        long nextTick = nextTick();
        if (nextTick == NO_TICK) {
            return Nanos.FOREVER;
        }
        return Math.min(Nanos.FOREVER - 1, originNanos + (nextTick << TICK_SHIFT) - nowNanos);
    }

    /** The first tick of the next occupied slot. */
    private long nextTick() {
        int list = nextList();
        if (list == NOWHERE) {
            return NO_TICK;
        }
        int shift = (list / SLOTS) * DIGIT_BITS;
        long higherDigits = (currentTick >>> shift) & -SLOTS;
        return (higherDigits | (list % SLOTS)) << shift;
    }

    private int nextList() {
        for (int level = 0; level < LEVELS; level++) {
            if (occupied[level] != 0) {
                return level * SLOTS + Long.numberOfTrailingZeros(occupied[level]);
            }
        }
        return NOWHERE;
    }

    private void dealOut(int list) {
        Node node = first[list];
        first[list] = null;
        last[list] = null;
        occupied[list / SLOTS] &= ~(1L << (list % SLOTS));
        while (node != null) {
            Node next = node.next;
            link(node);
            node = next;
        }
    }

    private void link(Node node) {
        int list = listOf(node.tick);
        Node before = last[list];
        node.list = list;
        node.previous = before;
        node.next = null;
        last[list] = node;
        if (before != null) {
            before.next = node;
            return;
        }
        first[list] = node;
        if (list != DUE) {
            occupied[list / SLOTS] |= 1L << (list % SLOTS);
        }
    }

    private int listOf(long tick) {
        if (tick <= currentTick) {
            return DUE;
        }
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(tick ^ currentTick)) / DIGIT_BITS;
        int digit = (int) (tick >>> (level * DIGIT_BITS)) & (SLOTS - 1);
        return level * SLOTS + digit;
    }

    private void unlink(Node node) {
        Node before = node.previous;
        Node after = node.next;
        int list = node.list;
        if (before == null) {
            first[list] = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last[list] = before;
        } else {
            after.previous = before;
        }
        if (first[list] == null && list != DUE) {
            occupied[list / SLOTS] &= ~(1L << (list % SLOTS));
        }
        node.list = NOWHERE;
        node.previous = null;
        node.next = null;
    }

    /** A timer's place in the wheel. */
    static class Node {
        private long tick;
        private int list = NOWHERE;
        private @Nullable Node previous;
        private @Nullable Node next;
    }
}
