package io.nopanic.breaker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Transitions of a breaker against each other and against outcomes that come late. */
public final class TransitionRaces {

    private TransitionRaces() {}

    private static Subject opensAtTheFirstFailure() {
        return new Subject(CircuitBreaker.builder().consecutiveFailures(1));
    }

    /** Two calls in flight fail at one moment, and each is reason enough to open. Result: the state, and the transitions told. */
    @JCStressTest
    @Description("Two failures that each trip the breaker: is it opened once?")
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "one trips it, the other finds it tripped")
    @State
    public static class TripAgainstTrip {

        private final Subject subject = opensAtTheFirstFailure();
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

    /**
     * Two calls in flight fail at one moment, and each is reason enough to open; then a call is refused. Result: the cause it is told, and the failure in the event of the
     * opening.
     */
    @JCStressTest
    @Description("A second failure comes as a call is refused: is the cause the failure that opened the breaker?")
    @Outcome(id = "one, one", expect = ACCEPTABLE, desc = "the first of the two opened it")
    @Outcome(id = "other, other", expect = ACCEPTABLE, desc = "the second did")
    @State
    public static class RefusalAgainstLateTrip {

        private final Subject subject = opensAtTheFirstFailure();
        private final long one = subject.enter();
        private final long other = subject.enter();

        @Actor
        public void failAndAsk(LL_Result r) {
            subject.fail(one, 0, HandTime.FAILURE);
            r.r1 = nameOf(subject.causeOfRefusal());
        }

        @Actor
        public void fail() {
            subject.fail(other, 0, HandTime.OTHER_FAILURE);
        }

        @Arbiter
        public void end(LL_Result r) {
            r.r2 = nameOf(subject.lastFailureTold());
        }

        private static String nameOf(@Nullable Throwable failure) {
            return failure == HandTime.FAILURE ? "one" : failure == HandTime.OTHER_FAILURE ? "other" : "none";
        }
    }

    /** A call fails while somebody resets the breaker. Result: the state, the late outcomes counted, and the transitions told. */
    @JCStressTest
    @Description("A trip and a reset: does an outcome of the period before the reset open the one after it?")
    @Outcome(id = "CLOSED, 1, 0", expect = ACCEPTABLE, desc = "reset first: the failure is late, and counted as that")
    @Outcome(id = "CLOSED, 0, 2", expect = ACCEPTABLE, desc = "tripped first, then reset")
    @Outcome(
            id = "CLOSED, 0, 0",
            expect = ACCEPTABLE,
            desc = "counted before the reset, which was then quicker than the trip")
    @State
    public static class TripAgainstReset {

        private final Subject subject = opensAtTheFirstFailure();
        private final long call = subject.enter();

        @Actor
        public void fail() {
            subject.fail(call, 0);
        }

        @Actor
        public void reset() {
            subject.breaker.reset();
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.late();
            r.r3 = subject.transitionsTold();
        }
    }

    /** A call fails while somebody opens the breaker by hand. Result: the state, and the transitions told. */
    @JCStressTest
    @Description("A trip and an opening by hand: does the hand have the last word?")
    @Outcome(id = "FORCED_OPEN, 1", expect = ACCEPTABLE, desc = "by hand first; the failure is late, or its trip is")
    @Outcome(id = "FORCED_OPEN, 2", expect = ACCEPTABLE, desc = "tripped first, then opened by hand")
    @State
    public static class TripAgainstForceOpen {

        private final Subject subject = opensAtTheFirstFailure();
        private final long call = subject.enter();

        @Actor
        public void fail() {
            subject.fail(call, 0);
        }

        @Actor
        public void forceOpen() {
            subject.breaker.forceOpen();
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.transitionsTold();
        }
    }

    /** Somebody opens the breaker by hand while somebody else resets it. Result: the transitions in the order in which they were told. */
    @JCStressTest
    @Description("Two transitions at one moment: are they told in the order in which they were made?")
    @Outcome(id = "CLOSED-FORCED_OPEN", expect = ACCEPTABLE, desc = "reset first, which nobody sees from outside")
    @Outcome(id = "CLOSED-FORCED_OPEN FORCED_OPEN-CLOSED", expect = ACCEPTABLE, desc = "opened first, then reset")
    @State
    public static class ToldInOrder {

        private final Subject subject = opensAtTheFirstFailure();

        @Actor
        public void forceOpen() {
            subject.breaker.forceOpen();
        }

        @Actor
        public void reset() {
            subject.breaker.reset();
        }

        @Arbiter
        public void end(L_Result r) {
            r.r1 = subject.told();
        }
    }
}
