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
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Calls in flight, which are counted by the time at which they began, in a ring in each stripe. */
public final class InFlightRaces {

    private static final long SLOW_NANOS = SECOND_NANOS;
    private static final long SLICE_NANOS = SLOW_NANOS / InFlight.SLICES_PER_SLOW_TIME;
    private static final long ROUND_THE_RING_NANOS = InFlight.CELLS * SLICE_NANOS;

    private InFlightRaces() {}

    private static InFlight calls() {
        return new InFlight(SlowLimit.fixed(SLOW_NANOS), 0);
    }

    /** One comes back while another begins so much later that it takes the same place of the ring. Result: calls in flight after that, and how many of them are overdue when the second is not. */
    @JCStressTest
    @Description("A call comes back as its place among the calls in flight is used again: does the count stay true?")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one that began later")
    @State
    public static class PlaceUsedAgain {

        private final InFlight calls = calls();

        public PlaceUsedAgain() {
            calls.enter(0, 0);
        }

        @Actor
        public void leave() {
            calls.leave(0, 0);
        }

        @Actor
        public void enter() {
            calls.enter(0, ROUND_THE_RING_NANOS);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = (int) calls.total();
            r.r2 = (int) calls.overdue(ROUND_THE_RING_NANOS);
        }
    }

    /** Calls of all places of a ring become ancient, as others take these places, while somebody looks. Result: whether there never seemed to be more of them than there are. */
    @JCStressTest
    @Description("Calls become ancient as somebody looks how many are that old: is one counted twice?")
    @Outcome(
            id = "true",
            expect = ACCEPTABLE,
            desc = "each was found in its place, or as an ancient one, or missed on its way")
    @State
    public static class BecomesAncientAgainstLook {

        private static final int LOOKS = 4;
        private final InFlight calls = calls();

        public BecomesAncientAgainstLook() {
            enterAll(0);
        }

        private void enterAll(long sinceNanos) {
            for (int slice = 0; slice < InFlight.CELLS; slice++) {
                calls.enter(0, sinceNanos + slice * SLICE_NANOS);
            }
        }

        @Actor
        public void enter() {
            enterAll(ROUND_THE_RING_NANOS);
        }

        @Actor
        public void look(Z_Result r) {
            r.r1 = true;
            for (int i = 0; i < LOOKS; i++) {
                r.r1 &= calls.overdue(ROUND_THE_RING_NANOS + SLOW_NANOS) <= InFlight.CELLS;
            }
        }
    }

    /** A call begins on each of two threads and ends on the other, while an older one is in flight. Result: calls in flight after that, and how many of them are overdue when that one is. */
    @JCStressTest
    @Description("Calls end on other threads than they began on: is each taken out where it was put in?")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the older one is left")
    @State
    public static class EndsOnAnotherThread {

        private final Subject subject = new Subject(
                CircuitBreaker.builder().countWindow(100).minimumCalls(100).slowAfter(Duration.ofNanos(SLOW_NANOS)));
        private final long[] permits = new long[2];

        public EndsOnAnotherThread() {
            subject.breaker.forceClosed();
            subject.enter();
        }

        @Actor
        public void one() {
            permits[0] = subject.enter();
        }

        @Actor
        public void other() {
            permits[1] = subject.enter();
        }

        @Arbiter
        public void end(II_Result r) {
            for (long permit : permits) {
                subject.succeed(permit, 0);
            }
            subject.hand.moveTo(2 * SLOW_NANOS);
            r.r1 = (int) subject.breaker.snapshot().inFlight().orElse(-1);
            r.r2 = (int) subject.breaker.snapshot().counts().slow();
        }
    }

    /** The first two calls of a slice, in different stripes. Result: who is told to be the first of its slice, and so looks for overdue calls. */
    @JCStressTest
    @Description("Two calls are each the first of a slice in their stripe: does one of them look, and only one?")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the one was first")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the other was first")
    @State
    public static class FirstOfASlice {

        private final InFlight calls = calls();

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = calls.enter(0, SLICE_NANOS);
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = calls.enter(1, SLICE_NANOS);
        }
    }
}
