package io.nopanic.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.spi.Entry;
import io.nopanic.spi.Waiter;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** Calls that wait for a permit of a bulkhead, against those that give permits back. */
public final class QueueRaces {

    private static final long MAX_WAIT_NANOS = 1_000_000_000L;

    private QueueRaces() {}

    /** A bulkhead with one permit. */
    private static Bulkhead one() {
        return Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(2)
                .maxWait(Duration.ofNanos(MAX_WAIT_NANOS))
                .build();
    }

    private static void release(Bulkhead bulkhead, long permit) {
        wake(bulkhead.settle(permit, HandTime.START_NANOS, HandTime.START_NANOS, "result", null));
    }

    private static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake();
        }
    }

    private static Entry.Waiting wait(Bulkhead bulkhead, Waiter waiter) {
        return (Entry.Waiting) bulkhead.enter(HandTime.request(0, waiter));
    }

    private static String check(Entry entry, long afterStartNanos) {
        if (!(entry instanceof Entry.Waiting place)) {
            return entry instanceof Entry.Admitted ? "in" : "refused";
        }
        long answer = place.check(HandTime.START_NANOS + afterStartNanos);
        return answer > 0 ? "waits" : answer == Entry.Waiting.ADMITTED ? "in" : "refused";
    }

    /** One call ends as another joins the queue. Result: what the other is told in the end, calls in the queue, permits available. */
    @JCStressTest
    @Description("A permit comes back as a call begins to wait for one: is the wake-up lost?")
    @Outcome(id = "in, 0, 0", expect = ACCEPTABLE, desc = "it found the permit, or was handed it")
    @State
    public static class ReleaseAgainstJoin {

        private final Bulkhead bulkhead = one();
        private final long permit = bulkhead.tryAcquire(HandTime.START_NANOS);
        private @Nullable Entry entry;

        @Actor
        public void release() {
            QueueRaces.release(bulkhead, permit);
        }

        @Actor
        public void join() {
            entry = bulkhead.enter(HandTime.request());
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = entry == null ? "nothing" : check(entry, 0);
            r.r2 = bulkhead.queued();
            r.r3 = bulkhead.available();
        }
    }

    /**
     * The permit comes back as the longest wait of the call that waits for it is over. Result: what the call was told, whether it was woken, calls in the queue, permits
     * available once it has ended, too, if it was let in.
     */
    @JCStressTest
    @Description("A permit is handed to a call that gives up waiting: does it come back?")
    @Outcome(id = "in, true, 0, 1", expect = ACCEPTABLE, desc = "handed over in time")
    @Outcome(id = "refused, false, 0, 1", expect = ACCEPTABLE, desc = "gave up first, so nobody was handed anything")
    @State
    public static class HandOverAgainstTooLate {

        private final Bulkhead bulkhead = one();
        private final long permit = bulkhead.tryAcquire(HandTime.START_NANOS);
        private volatile boolean woken;
        private final Entry.Waiting place = QueueRaces.wait(bulkhead, () -> woken = true);

        @Actor
        public void release() {
            QueueRaces.release(bulkhead, permit);
        }

        @Actor
        public void giveUp(LLLL_Result r) {
            String answer = check(place, MAX_WAIT_NANOS);
            r.r1 = answer;
            if (answer.equals("in")) {
                QueueRaces.release(bulkhead, place.permit());
            }
        }

        @Arbiter
        public void end(LLLL_Result r) {
            r.r2 = woken;
            r.r3 = bulkhead.queued();
            r.r4 = bulkhead.available();
        }
    }

    /**
     * The permit comes back as the first of two calls that wait for it goes away. Result: what the first and the second are told in the end, calls in the queue, permits
     * available.
     */
    @JCStressTest
    @Description("A permit is handed to a call that goes away: is it passed on to the next?")
    @Outcome(id = "refused, in, 0, 0", expect = ACCEPTABLE, desc = "the next has it, at once or passed on")
    @State
    public static class HandOverAgainstLeave {

        private final Bulkhead bulkhead = one();
        private final long permit = bulkhead.tryAcquire(HandTime.START_NANOS);
        private final Entry.Waiting first = QueueRaces.wait(bulkhead, () -> {});
        private final Entry.Waiting second = QueueRaces.wait(bulkhead, () -> {});

        @Actor
        public void release() {
            QueueRaces.release(bulkhead, permit);
        }

        @Actor
        public void leave() {
            wake(first.leave(HandTime.START_NANOS));
        }

        @Arbiter
        public void end(LLLL_Result r) {
            r.r1 = check(first, 0);
            r.r2 = check(second, 0);
            r.r3 = bulkhead.queued();
            r.r4 = bulkhead.available();
        }
    }

    /** The permit comes back to a call that waits, as another comes that would overtake it if it could. Result: what each is told, queue, permits available. */
    @JCStressTest
    @Description("A permit is handed over as a newcomer asks: does it overtake the call that waits?")
    @Outcome(id = "in, waits, 1, 0", expect = ACCEPTABLE, desc = "the newcomer waits behind")
    @State
    public static class HandOverAgainstNewcomer {

        private final Bulkhead bulkhead = one();
        private final long permit = bulkhead.tryAcquire(HandTime.START_NANOS);
        private final Entry.Waiting first = QueueRaces.wait(bulkhead, () -> {});
        private @Nullable Entry newcomer;

        @Actor
        public void release() {
            QueueRaces.release(bulkhead, permit);
        }

        @Actor
        public void newcomer() {
            newcomer = bulkhead.enter(HandTime.request());
        }

        @Arbiter
        public void end(LLLL_Result r) {
            r.r1 = check(first, 0);
            r.r2 = newcomer == null ? "nothing" : check(newcomer, 0);
            r.r3 = bulkhead.queued();
            r.r4 = bulkhead.available();
        }
    }
}
