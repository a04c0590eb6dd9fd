package io.nopanic.breaker;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How many of the calls that are overdue have counted as failures before they came back. Whoever counts one early and the call that comes back agree here, so that between them it counts once.
 *
 * <p>Who counts one early raises the number first and then looks how many are overdue; a call that comes back is no longer overdue first and then lowers the number. With the number never above that of
 * the calls once both are done, no call counts twice. For that the number has to be read before the calls, not after them: a call that comes back between the two readings lowers both, and would hide that
 * there was one too many.
 *
 * <p>Before it raises the number it looks whether there is one at all, in any order: that saves work and decides nothing.
 *
 * <p>If several meet, one that could have counted may not; it does at a later look, or when its call comes back.
 */
final class EarlyFailures {

    private final AtomicLong number = new AtomicLong();

    /**
     * Counts one more early, if one is overdue that has not counted.
     *
     * @param overdue how many there are, at most so many as there are in truth
     * @return whether it has counted
     */
    boolean add(LongSupplier overdue) {
        boolean allSeemToHave = overdue.getAsLong() <= number.get();
        if (allSeemToHave) {
            return false;
        }
        long raised = number.incrementAndGet();
        boolean tooMany = overdue.getAsLong() < raised;
        return !(tooMany && takeBack());
    }

    /** A call came back, and is no longer among those overdue; {@code true} if it has counted. */
    boolean takeBack() {
        for (; ; ) {
            long seen = number.get();
            if (seen == 0) {
                return false;
            }
            if (number.compareAndSet(seen, seen - 1)) {
                return true;
            }
        }
    }

    /** How many have counted and not come back. */
    long number() {
        return number.get();
    }
}
