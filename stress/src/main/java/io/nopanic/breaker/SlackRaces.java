package io.nopanic.breaker;

import static io.nopanic.breaker.Subject.SECOND_NANOS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** How many bad outcomes a time window lets come before it looks again, while they come. */
public final class SlackRaces {

    private static final int SLOW_CALLS = 100;

    private SlackRaces() {}

    /** A time window for 100 slow calls, and one that has been counted; its limits allow several more before the next look. */
    private static TimeWindow windowWithLimits() {
        Thresholds thresholds = new Thresholds(SLOW_CALLS, Thresholds.OFF, 1, Thresholds.OFF);
        TimeWindow window = new TimeWindow(thresholds, 2 * SECOND_NANOS, 2, 0);
        recordAndLook(window, 0, 0);
        return window;
    }

    /** A slow call comes back; whether that is seen to be reason to open. */
    private static boolean recordAndLook(TimeWindow window, long overdue, long nowNanos) {
        return window.record(Ending.SLOW_SUCCESS, nowNanos) && window.reaches(new FixedOverdue(overdue), nowNanos);
    }

    /**
     * A time window in which 42 failures are reason to open, half of which each thread records. On the way there the number that is still missing is dealt out
     * over the counters again and again. Result: the state.
     */
    @JCStressTest
    @Description("Failures come while others deal out how many more may come: does whoever reaches the threshold look?")
    @Outcome(id = "OPEN", expect = ACCEPTABLE, desc = "the last failure was seen")
    @State
    public static class LastFailureTrips {

        private static final int FAILURES = 42;

        private final Subject subject = new Subject(CircuitBreaker.builder()
                .timeWindow(Duration.ofSeconds(2), 2)
                .minimumCalls(FAILURES)
                .failureRate(1));
        private final long permit = subject.enter();

        private void record() {
            for (int failure = 0; failure < FAILURES / 2; failure++) {
                subject.fail(permit, 0);
            }
        }

        @Actor
        public void one() {
            record();
        }

        @Actor
        public void other() {
            record();
        }

        @Arbiter
        public void end(L_Result r) {
            r.r1 = subject.state();
        }
    }

    /** 98 calls in flight turn out to be slow, so that only one more is missing, as one more comes back. Result: who saw that all 100 are there. */
    @JCStressTest
    @Description(
            "A look finds that fewer bad outcomes are missing than the limits allow, as one comes: does anybody see it?")
    @Outcome(
            id = "true, false",
            expect = ACCEPTABLE,
            desc = "counted before the limits were taken back, and so in what was read")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "found no limit, or was at the new one")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
    @State
    public static class LimitsTakenBackAgainstFailure {

        private static final int OVERDUE = SLOW_CALLS - 2;

        private final TimeWindow window = windowWithLimits();

        @Actor
        public void look(ZZ_Result r) {
            r.r1 = window.reaches(new FixedOverdue(OVERDUE), 0);
        }

        @Actor
        public void record(ZZ_Result r) {
            r.r2 = recordAndLook(window, OVERDUE, 0);
        }
    }

    /**
     * With 97 calls in flight that are slow, two more are missing. One comes back before the time of the bucket is over, and one after it. Result: who saw that all 100
     * are there.
     */
    @JCStressTest
    @Description("An outcome goes into a bucket, below its limit, as that is replaced: is it seen?")
    @Outcome(
            id = "true, false",
            expect = ACCEPTABLE,
            desc = "saw that its bucket was not the newest any more, and looked")
    @Outcome(
            id = "false, true",
            expect = ACCEPTABLE,
            desc = "was in the old bucket when the new one's first outcome looked")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
    @State
    public static class LimitAgainstRollOver {

        private static final int OVERDUE = SLOW_CALLS - 3;

        private final TimeWindow window = windowWithLimits();

        @Actor
        public void before(ZZ_Result r) {
            r.r1 = recordAndLook(window, OVERDUE, SECOND_NANOS - 1);
        }

        @Actor
        public void after(ZZ_Result r) {
            r.r2 = recordAndLook(window, OVERDUE, SECOND_NANOS);
        }
    }
}
