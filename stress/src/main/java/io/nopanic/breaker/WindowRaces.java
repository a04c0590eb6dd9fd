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
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** What a breaker remembers, while several calls end at one moment. Where it only counts it is forced closed. */
public final class WindowRaces {

    private WindowRaces() {}

    private static Subject counting(CircuitBreakerBuilder settings) {
        Subject subject = new Subject(settings);
        subject.breaker.forceClosed();
        return subject;
    }

    private static void read(Subject subject, II_Result r) {
        Counts counts = subject.breaker.snapshot().counts();
        r.r1 = (int) counts.calls();
        r.r2 = (int) counts.failures();
    }

    /** A count window of two, in which both have to have failed, and two failures. Result: the state. */
    @JCStressTest
    @Description("Two failures fill a count window: does one of the two calls see both?")
    @Outcome(id = "OPEN", expect = ACCEPTABLE, desc = "whoever counts last sees both")
    @State
    public static class CountWindowTrips {

        private final Subject subject = new Subject(
                CircuitBreaker.builder().countWindow(2).minimumCalls(2).failureRate(1));
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
        public void end(L_Result r) {
            r.r1 = subject.state();
        }
    }

    /** A count window of one call, in which a success and a failure take the same place. Result: calls and failures. */
    @JCStressTest
    @Description("A success and a failure for one place in a count window: do the totals stay true?")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the success took the place last")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the failure took the place last")
    @State
    public static class CountWindowTotals {

        private final Subject subject = counting(CircuitBreaker.builder().countWindow(1));
        private final long one = subject.enter();
        private final long other = subject.enter();

        @Actor
        public void one() {
            subject.succeed(one, 0);
        }

        @Actor
        public void other() {
            subject.fail(other, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            read(subject, r);
        }
    }

    /** A time window in which two failures of two are reason to open. Result: the state. */
    @JCStressTest
    @Description("Two failures reach the threshold of a time window: does one of the two calls see both?")
    @Outcome(id = "OPEN", expect = ACCEPTABLE, desc = "whoever counts last sees both")
    @State
    public static class TimeWindowTrips {

        private final Subject subject = new Subject(CircuitBreaker.builder()
                .timeWindow(Duration.ofSeconds(2), 2)
                .minimumCalls(2)
                .failureRate(1));
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
        public void end(L_Result r) {
            r.r1 = subject.state();
        }
    }

    /**
     * A time window of two seconds in two buckets with one outcome in it, and two more that come just as that one has left it. Result: calls
     * and failures in the window after that.
     */
    @JCStressTest
    @Description(
            "Two calls find that the time of the bucket is over: is every outcome in the window counted, and nothing older?")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "one of them made the next bucket, both counted in it")
    @State
    public static class RollOverAgainstRollOver {

        private final Subject subject = counting(CircuitBreaker.builder().timeWindow(Duration.ofSeconds(2), 2));
        private final long one = subject.enter();
        private final long other = subject.enter();

        public RollOverAgainstRollOver() {
            subject.fail(subject.enter(), 0);
            subject.hand.moveTo(2 * SECOND_NANOS);
        }

        @Actor
        public void one() {
            subject.succeed(one, 2 * SECOND_NANOS);
        }

        @Actor
        public void other() {
            subject.fail(other, 2 * SECOND_NANOS);
        }

        @Arbiter
        public void end(II_Result r) {
            read(subject, r);
        }
    }

    /** One call counts in the next bucket while another one, which read the clock just before, counts as well. Result: calls and failures. */
    @JCStressTest
    @Description(
            "A call that read the clock before the bucket's time was over, and one that read it after: are both counted?")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "both, in the old bucket or in the new one")
    @State
    public static class RollOverAgainstRecord {

        private final Subject subject = counting(CircuitBreaker.builder().timeWindow(Duration.ofSeconds(2), 2));
        private final long before = subject.enter();
        private final long after = subject.enter();

        public RollOverAgainstRecord() {
            subject.hand.moveTo(SECOND_NANOS);
        }

        @Actor
        public void before() {
            subject.succeed(before, SECOND_NANOS - 1);
        }

        @Actor
        public void after() {
            subject.fail(after, SECOND_NANOS);
        }

        @Arbiter
        public void end(II_Result r) {
            read(subject, r);
        }
    }

    /**
     * Two threads, each of which records a success and then a failure, over and over: never are more than half of the calls failures. The threshold is
     * just above that. Result: the state.
     */
    @JCStressTest
    @Description("The failure rate never exceeds one half: does a reading while others write make it look higher?")
    @Outcome(id = "CLOSED", expect = ACCEPTABLE, desc = "what was read was at least as healthy as the truth")
    @State
    public static class NeverTripsEarly {

        private static final int ROUNDS = 8;

        private final Subject subject = new Subject(CircuitBreaker.builder()
                .timeWindow(Duration.ofSeconds(2), 2)
                .minimumCalls(2)
                .failureRate(0.51));

        private void record() {
            for (int round = 0; round < ROUNDS; round++) {
                subject.succeed(subject.enter(), 0);
                subject.fail(subject.enter(), 0);
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

    /**
     * Two threads, each of which records a success and then a failure, over and over, and makes a new bucket each time. So there are never more failures than successes. A third reads them meanwhile.
     * Result: how many more failures than successes it has seen at the most.
     */
    @JCStressTest
    @Description(
            "A thread is held up between choosing its bucket and counting: does a reading show more than one failure too many for it?")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "what was read was at least as healthy as the truth")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "one was held up, and successes that came meanwhile were not seen")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both were")
    @State
    public static class EarlyByOneForEachHeldUp {

        private static final int ROUNDS = 12;

        /** So long that nothing leaves it. */
        private final TimeWindow window =
                new TimeWindow(new Thresholds(1, 1, 1, 1), 2 * ROUNDS * SECOND_NANOS, 2 * ROUNDS, 0);

        private void record() {
            for (int round = 0; round < ROUNDS; round++) {
                window.record(Ending.SUCCESS, round * SECOND_NANOS);
                window.record(Ending.FAILURE, round * SECOND_NANOS);
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

        @Actor
        public void read(I_Result r) {
            long most = 0;
            for (int reading = 0; reading < ROUNDS; reading++) {
                Counts counts = window.counts(Overdue.NONE, 0);
                most = Math.max(most, 2 * counts.failures() - counts.calls());
            }
            r.r1 = (int) most;
        }
    }
}
