package io.nopanic.breaker;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A time window that opens at 100 slow calls. It has dealt out limits for many more when nearly all of them turn out to be in flight. Who then sees that the last ones have come
 * depends on who meets whom; that somebody does, and nobody before, does not.
 */
public class SlackSubject {

    private static final int ENOUGH = 100;
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final Overdue nearlyAll;
    private final TimeWindow window =
            new TimeWindow(new Thresholds(ENOUGH, Thresholds.OFF, 1, Thresholds.OFF), 2 * SECOND_NANOS, 2, 0);
    private final AtomicInteger recorded = new AtomicInteger(1);
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean missed = new AtomicBoolean();
    private final AtomicBoolean looked = new AtomicBoolean();
    private final AtomicBoolean opened = new AtomicBoolean();

    /** One more has to come back. */
    public SlackSubject() {
        this(1);
    }

    /** So many more have to come back. The first call lets the window deal out limits. */
    SlackSubject(int missing) {
        nearlyAll = new FixedOverdue(ENOUGH - 1 - missing);
        if (window.record(Ending.SLOW_SUCCESS, 0)) {
            window.reaches(Overdue.NONE, 0);
        }
    }

    /** One comes back, and goes into the first bucket. */
    @Operation
    public void comeBack() {
        record(SECOND_NANOS - 1);
    }

    /** One comes back, and goes into the next bucket, which it makes if it is the first. */
    @Operation
    public void comeBackLater() {
        record(SECOND_NANOS);
    }

    private void record(long nowNanos) {
        underWay.incrementAndGet();
        if (window.record(Ending.SLOW_SUCCESS, nowNanos)) {
            look(nowNanos);
        }
        end(recorded.incrementAndGet());
    }

    /** Whoever is the last one under way: it has been seen, if there are enough, by this one or by one before it. */
    private void end(int atLeast) {
        boolean isEnough = isEnough(atLeast);
        if (underWay.decrementAndGet() == 0 && isEnough && !opened.get()) {
            missed.set(true);
        }
    }

    private boolean isEnough(int cameBack) {
        return looked.get() && cameBack + nearlyAll.overdue(0) >= ENOUGH;
    }

    /** Somebody finds that nearly all are in flight. */
    @Operation
    public void look() {
        underWay.incrementAndGet();
        look(0);
        end(recorded.get());
    }

    private void look(long nowNanos) {
        looked.set(true);
        if (window.reaches(nearlyAll, nowNanos)) {
            opened.set(true);
        }
    }

    /** Whether the last one was seen, if anybody knew of those in flight. */
    @Validate
    public void opensWithTheLastOne() {
        if (missed.get() || opened.get() != isEnough(recorded.get())) {
            throw new IllegalStateException(
                    recorded + " have come back, and it has opened: " + opened + ", in time: " + !missed.get());
        }
    }

    /** Two more have to come back. */
    public static final class TwoMissing extends SlackSubject {

        /** See {@link SlackSubject}. */
        public TwoMissing() {
            super(2);
        }
    }
}
