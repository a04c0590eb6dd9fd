package io.nopanic.breaker;

import static io.nopanic.breaker.Subject.SECOND_NANOS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.events.Counts;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LI_Result;

/** The evidence against a dependency: one word, which several calls change that end at one moment. */
public final class EvidenceRaces {

    private EvidenceRaces() {}

    /** A failure costs as much as a success is worth. */
    private static CircuitBreakerBuilder enough(double threshold) {
        return CircuitBreaker.builder().failureCost(1).evidenceThreshold(threshold);
    }

    /** How many calls in a row it takes to open it. */
    private static int failuresToOpen(Subject subject) {
        int failures = 0;
        while (subject.state().equals("CLOSED")) {
            subject.fail(subject.enter(), 0);
            failures++;
        }
        return failures;
    }

    /** Two failures are enough, and two calls fail. Result: the state, and the transitions told. */
    @JCStressTest
    @Description("Two failures reach the threshold: does one of the two calls see both, and is it opened once?")
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "whoever counts last sees both, and opens it")
    @State
    public static class FailuresReachTheThreshold {

        private final Subject subject = new Subject(enough(2));
        private final long one = subject.enter();
        private final long other = subject.enter();

        @Actor
        public void one() {
            subject.fail(one, 0);
        }

        @Actor
        public void other() {
            subject.fail(other, 0);
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.transitionsTold();
        }
    }

    /** One failure is enough, and two calls fail. Result: the state, the transitions told, and the late outcomes. */
    @JCStressTest
    @Description("Two failures that are enough, each alone: is it opened once?")
    @Outcome(id = "OPEN, 1, 0", expect = ACCEPTABLE, desc = "both are counted; one opens it, the other finds it open")
    @Outcome(id = "OPEN, 1, 1", expect = ACCEPTABLE, desc = "it was open when the other came back")
    @State
    public static class EachFailureIsEnough {

        private final Subject subject = new Subject(enough(1));
        private final long one = subject.enter();
        private final long other = subject.enter();

        @Actor
        public void one() {
            subject.fail(one, 0);
        }

        @Actor
        public void other() {
            subject.fail(other, 0);
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.transitionsTold();
            r.r3 = subject.late();
        }
    }

    /** No evidence, three failures are enough, and a success meets a failure. Result: failures shown, and how many more it takes to open. */
    @JCStressTest
    @Description("A success meets the first failure: is it taken from that, or from nothing, and never below?")
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "the failure was counted, and the success outweighed it")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the success came first, and there was nothing to take it from")
    @State
    public static class SuccessAgainstTheFirstFailure {

        private final Subject subject = new Subject(enough(3));
        private final long good = subject.enter();
        private final long bad = subject.enter();

        @Actor
        public void succeed() {
            subject.succeed(good, 0);
        }

        @Actor
        public void fail() {
            subject.fail(bad, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = (int) subject.breaker.snapshot().counts().failures();
            r.r2 = failuresToOpen(subject);
        }
    }

    /** Two failures have been counted, four are enough, and a success meets a third. Result: failures shown, and how many more it takes to open. */
    @JCStressTest
    @Description("A success and a failure change the score at one moment: is either lost?")
    @Outcome(id = "3, 2", expect = ACCEPTABLE, desc = "both count, in whatever order")
    @State
    public static class SuccessAgainstFailure {

        private final Subject subject = new Subject(enough(4));
        private final long good;
        private final long bad;

        public SuccessAgainstFailure() {
            subject.trip();
            subject.trip();
            good = subject.enter();
            bad = subject.enter();
        }

        @Actor
        public void succeed() {
            subject.succeed(good, 0);
        }

        @Actor
        public void fail() {
            subject.fail(bad, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = (int) subject.breaker.snapshot().counts().failures();
            r.r2 = failuresToOpen(subject);
        }
    }

    /** One failure has been counted, and two calls succeed. Result: failures shown, and how many it takes to open, of three. */
    @JCStressTest
    @Description("Two successes for one failure: does the second one leave a debt?")
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "the one took it away, the other found nothing")
    @State
    public static class TwoSuccesses {

        private final Subject subject = new Subject(enough(3));
        private final long one;
        private final long other;

        public TwoSuccesses() {
            subject.trip();
            one = subject.enter();
            other = subject.enter();
        }

        @Actor
        public void one() {
            subject.succeed(one, 0);
        }

        @Actor
        public void other() {
            subject.succeed(other, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = (int) subject.breaker.snapshot().counts().failures();
            r.r2 = failuresToOpen(subject);
        }
    }

    /**
     * Four failures have been counted, eight are enough, and two calls fail after a half-life, in different ticks of the clock. Result: failures shown, and how
     * many more it takes to open, all at the later time.
     */
    @JCStressTest
    @Description("Two failures find evidence that has faded by half: does it fade once?")
    @Outcome(id = "6, 4", expect = ACCEPTABLE, desc = "half of four, and two")
    @State
    public static class FadingAgainstFading {

        private static final long LATER_NANOS = 330 * SECOND_NANOS;
        private final TripRule.Memory memory =
                new EvidenceRule(1000, 3000, Confidence.fixed(8), SlowLimit.NONE).begin(0);

        public FadingAgainstFading() {
            for (int i = 0; i < 4; i++) {
                memory.record(Ending.FAILURE, 0, 0, 0);
            }
        }

        @Actor
        public void one() {
            memory.record(Ending.FAILURE, 0, 0, LATER_NANOS);
        }

        @Actor
        public void other() {
            memory.record(Ending.FAILURE, 0, 0, LATER_NANOS + 2 * SECOND_NANOS);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = (int) memory.counts(LATER_NANOS).failures();
            do {
                r.r2++;
            } while (!memory.record(Ending.FAILURE, 0, 0, LATER_NANOS + 2 * SECOND_NANOS));
        }
    }

    /**
     * A failure costs one, a slow one three, and 14 are enough. One call has failed, and four are overdue; they fail while more begin, each in a slice of time
     * of its own, so that each looks. Result: the state, the transitions told, and how many were let in.
     */
    @JCStressTest
    @Description("Overdue calls fail as other calls look at those overdue: is one counted twice?")
    @Outcome(
            id = "CLOSED, 0, 16",
            expect = ACCEPTABLE,
            desc = "13, some of it overdue and some of it failed: not enough")
    @State
    public static class OverdueCountsOnce {

        private static final int LOOKS = 16;
        private static final long SLOW_NANOS = SECOND_NANOS;
        private static final long SLICE_NANOS = SLOW_NANOS / InFlight.SLICES_PER_SLOW_TIME;
        private final Subject subject = new Subject(enough(14).slowAfter(Duration.ofNanos(SLOW_NANOS)));
        private final long[] hung = new long[4];

        public OverdueCountsOnce() {
            subject.trip();
            for (int i = 0; i < hung.length; i++) {
                hung[i] = subject.enter();
            }
        }

        @Actor
        public void comeBack() {
            for (long each : hung) {
                subject.fail(each, 2 * SLOW_NANOS);
            }
        }

        @Actor
        public void look(LII_Result r) {
            for (int i = 0; i < LOOKS; i++) {
                r.r3 += subject.enter(2 * SLOW_NANOS + i * SLICE_NANOS) >= 0 ? 1 : 0;
            }
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.transitionsTold();
        }
    }

    /** A failure costs one, a slow one three, and four are enough. One call has failed, and one is overdue; it fails while the next begins. Result: the state, the transitions told, and the late outcomes. */
    @JCStressTest
    @Description("An overdue call that is enough fails as another call looks at those overdue: is it opened, once?")
    @Outcome(id = "OPEN, 1, 0", expect = ACCEPTABLE, desc = "its failure was counted")
    @Outcome(id = "OPEN, 1, 1", expect = ACCEPTABLE, desc = "the look opened it, and the failure is late")
    @State
    public static class OverdueIsEnough {

        private static final long SLOW_NANOS = SECOND_NANOS;
        private final Subject subject = new Subject(enough(4).slowAfter(Duration.ofNanos(SLOW_NANOS)));
        private final long hung;

        public OverdueIsEnough() {
            subject.trip();
            hung = subject.enter();
        }

        @Actor
        public void comeBack() {
            subject.fail(hung, 2 * SLOW_NANOS);
        }

        @Actor
        public void look() {
            subject.enter(2 * SLOW_NANOS);
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.transitionsTold();
            r.r3 = subject.late();
        }
    }

    /**
     * An outage of 20 ms in which 20 calls were refused, so that 12 failures will be enough, not 8. The last probe succeeds while another call comes, which
     * fails if it is let in. Result: failures shown once it is closed, and how many more it takes to open.
     */
    @JCStressTest
    @Description(
            "A breaker learns the call rate as it closes, and a call comes: is every failure counted, and the new threshold used?")
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "the call was refused")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "the call was let in, and has failed")
    @State
    public static class LearningAgainstACall {

        private static final long OPEN_NANOS = 20_000_000;
        private final Subject subject = new Subject(CircuitBreaker.builder()
                .failureCost(1)
                .openFor(Duration.ofNanos(OPEN_NANOS))
                .probes(1));
        private final long probe;

        public LearningAgainstACall() {
            failuresToOpen(subject);
            for (int i = 0; i < 20; i++) {
                subject.enter(0);
            }
            subject.hand.moveTo(OPEN_NANOS);
            probe = subject.enter(OPEN_NANOS);
        }

        @Actor
        public void close() {
            subject.succeed(probe, OPEN_NANOS);
        }

        @Actor
        public void call() {
            long permit = subject.enter(OPEN_NANOS);
            if (permit >= 0) {
                subject.fail(permit, OPEN_NANOS);
            }
        }

        @Arbiter
        public void end(II_Result r) {
            Counts counts = subject.breaker.snapshot().counts();
            r.r1 = (int) counts.failures();
            r.r2 = failuresToOpen(subject);
        }
    }
}
