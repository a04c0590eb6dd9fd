package io.nopanic.ratelimit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The word of a rate limiter, its line, and the change of its rate. Time stands still, so nothing is refilled. */
public final class LimiterRaces {

    private LimiterRaces() {}

    private static RateLimiter limiter(int burst, HandTime hand) {
        return RateLimiter.builder()
                .rate(1, Duration.ofSeconds(1))
                .burst(burst)
                .unlimitedWait()
                .time(hand.time)
                .build();
    }

    private static boolean take(Admission limiter) {
        return limiter.tryAcquire(HandTime.START_NANOS) != Admission.NOT_NOW;
    }

    /** Three permits are there, and two calls take two each. Result: who got them, permits left. */
    @JCStressTest
    @Description("Two calls for more permits than the burst: are more given than there are?")
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class TakeAgainstTake {

        private final RateLimiter limiter = limiter(3, new HandTime());
        private final Admission two = limiter.weighted(2);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = take(two);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = take(two);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = limiter.availablePermits();
        }
    }

    /**
     * One permit is there. A call takes it if it can, while another one, which needs two, joins the line: from then on nobody takes past it. Result: whether
     * the first got it, and permits left when the second has left the line.
     */
    @JCStressTest
    @Description(
            "A call joins the line, which closes the limiter, as another one takes a permit: is the permit counted?")
    @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "taken before the limiter was closed")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "found it closed")
    @State
    public static class TakeAgainstJoin {

        private final RateLimiter limiter = limiter(2, new HandTime());
        private final Admission two = limiter.weighted(2);

        public TakeAgainstJoin() {
            LimiterRaces.take(limiter);
        }

        @Actor
        public void take(ZI_Result r) {
            r.r1 = LimiterRaces.take(limiter);
        }

        @Actor
        public void joinAndLeave() {
            Entry.Waiting place = (Entry.Waiting) two.enter(HandTime.request());
            place.leave(HandTime.START_NANOS);
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = limiter.availablePermits();
        }
    }

    /** Two permits are there. A call takes one while the rate is doubled. Result: whether it got it, permits left. */
    @JCStressTest
    @Description("The rate changes as a call takes a permit: is the permit counted?")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "taken before the change or after it")
    @Outcome(
            id = "false, 2",
            expect = ACCEPTABLE,
            desc = "found the limiter closed for the change; the engine asks once more")
    @State
    public static class TakeAgainstChange {

        private final RateLimiter limiter = limiter(2, new HandTime());

        @Actor
        public void take(ZI_Result r) {
            r.r1 = LimiterRaces.take(limiter);
        }

        @Actor
        public void change() {
            limiter.setRate(2, Duration.ofSeconds(1));
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = limiter.availablePermits();
        }
    }

    /**
     * No permit is there; the first in line gets one in a second, the next one second later. The first goes away as the next asks how long it has to wait.
     * Result: what the next was told, and whether it was woken.
     */
    @JCStressTest
    @Description("The first in line goes away as the next asks when its turn is: does the next learn that it moves up?")
    @Outcome(id = "1 s, false", expect = ACCEPTABLE, desc = "asked after that, so it knows")
    @Outcome(id = "1 s, true", expect = ACCEPTABLE, desc = "asked after that, and is woken all the same")
    @Outcome(id = "2 s, true", expect = ACCEPTABLE, desc = "asked before that, and is woken to ask again")
    @State
    public static class LeaveAgainstCheck {

        private final RateLimiter limiter = limiter(1, new HandTime());
        private volatile boolean woken;
        private final Entry.Waiting first;
        private final Entry.Waiting next;

        public LeaveAgainstCheck() {
            take(limiter);
            first = (Entry.Waiting) limiter.enter(HandTime.request());
            next = (Entry.Waiting) limiter.enter(HandTime.request(0, () -> woken = true));
        }

        @Actor
        public void leave() {
            Line.wake(first.leave(HandTime.START_NANOS));
        }

        @Actor
        public void check(LZ_Result r) {
            r.r1 = next.check(HandTime.START_NANOS) / 1_000_000_000L + " s";
        }

        @Arbiter
        public void end(LZ_Result r) {
            r.r2 = woken;
        }
    }

    /**
     * The first in line asks when its permit is there, as a second call asks for one without waiting. Result: whether the first is let in, whether the second
     * got one, permits left.
     */
    @JCStressTest
    @Description("A permit comes for the first in line as another call asks for it: does that one overtake?")
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the first in line has it")
    @State
    public static class TurnAgainstNewcomer {

        private static final long DUE_NANOS = 1_000_000_000L;

        private final HandTime hand = new HandTime();
        private final RateLimiter limiter = limiter(1, hand);
        private final Entry.Waiting first;

        public TurnAgainstNewcomer() {
            take(limiter);
            first = (Entry.Waiting) limiter.enter(HandTime.request());
            hand.moveTo(DUE_NANOS);
        }

        @Actor
        public void turn(ZZI_Result r) {
            r.r1 = first.check(HandTime.START_NANOS + DUE_NANOS) == Entry.Waiting.ADMITTED;
        }

        @Actor
        public void newcomer(ZZI_Result r) {
            r.r2 = limiter.tryTake();
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = limiter.availablePermits();
        }
    }
}
