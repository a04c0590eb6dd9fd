package io.nopanic.breaker;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Overdue calls, each of which fails when it comes back, unless it has counted before. How many count early depends on who meets whom; that none counts twice does not.
 */
public final class EarlySubject {

    private static final int CALLS = 4;

    private final EarlyFailures early = new EarlyFailures();
    private final AtomicInteger overdue = new AtomicInteger(CALLS);
    private final AtomicInteger counted = new AtomicInteger();

    /** Counts one of them early, if there is one that has not counted. */
    @Operation
    public boolean countEarly() {
        boolean counts = early.add(overdue::get);
        if (counts) {
            counted.incrementAndGet();
        }
        return counts;
    }

    /** One comes back, if any is left. */
    @Operation
    public boolean comeBack() {
        int left = overdue.getAndUpdate(before -> Math.max(0, before - 1));
        if (left == 0 || early.takeBack()) {
            return false;
        }
        counted.incrementAndGet();
        return true;
    }

    /** All that are still out come back. */
    @Validate
    public void eachCountsOnce() {
        while (overdue.get() > 0) {
            comeBack();
        }
        if (counted.get() != CALLS) {
            throw new IllegalStateException(CALLS + " calls have counted " + counted + " times");
        }
    }
}
