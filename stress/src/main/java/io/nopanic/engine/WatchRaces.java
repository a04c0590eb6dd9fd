package io.nopanic.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import io.nopanic.time.Time;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZL_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The slot of a call with a time limit: the call, against the watchdog that looks after it. */
public final class WatchRaces {

    private static final long TIMEOUT_NANOS = 1_000_000_000L;
    private static final int PATIENCE = 1_000;

    private WatchRaces() {}

    /** An alarm that says who it is for; it says of every call that it was interrupted. */
    private record Named(String name) implements Alarm {

        @Override
        public void arm(Time time, long delayNanos) {}

        @Override
        public boolean off() {
            return true;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Alarm FIRST = new Named("first");
    private static final Alarm NEXT = new Named("next");

    private static boolean claim(WatchSlot slot, Alarm alarm) {
        return slot.claim(Thread.currentThread(), alarm, HandTime.START_NANOS, TIMEOUT_NANOS);
    }

    /** Whose call is in the slot. */
    private static String whose(WatchSlot slot, long seen) {
        WatchSlot.Watched call = slot.watched(seen);
        return call == null ? "nobody" : call.alarm().toString();
    }

    private static WatchSlot claimed(Alarm alarm) {
        WatchSlot slot = WatchSlot.free();
        claim(slot, alarm);
        return slot;
    }

    /** Two calls for one slot. Result: who has it. */
    @JCStressTest
    @Description("Two calls claim one slot: does exactly one get it, and is it what the watchdog sees?")
    @Outcome(id = "true, first", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, next", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class ClaimAgainstClaim {

        private final WatchSlot slot = WatchSlot.free();

        @Actor
        public void one(ZL_Result r) {
            r.r1 = claim(slot, FIRST);
        }

        @Actor
        public void other() {
            claim(slot, NEXT);
        }

        @Arbiter
        public void end(ZL_Result r) {
            r.r2 = whose(slot, slot.state());
        }
    }

    /** Result: whether the call turned its alarm off, and whether it was promoted. */
    @JCStressTest
    @Description("A call ends as it is promoted: is it one or the other, and does the alarm go off for nobody?")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "ended first, and was not promoted")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "promoted first, and turned its alarm off")
    @State
    public static class EndAgainstPromote {

        private final WatchSlot slot = claimed(FIRST);
        private final long seen = slot.state();

        @Actor
        public void end(ZZ_Result r) {
            r.r1 = slot.end();
        }

        @Actor
        public void promote(ZZ_Result r) {
            r.r2 = slot.promote(seen, FIRST);
        }
    }

    /** A call ends and another claims its slot, while the watchdog looks at what was in it. Result: whom it saw, and whom it promoted. */
    @JCStressTest
    @Description("A slot is used for another call as the watchdog reads it: is one call taken for the other?")
    @Outcome(id = "first, first", expect = ACCEPTABLE, desc = "looked and promoted before the first ended")
    @Outcome(id = "first, nobody", expect = ACCEPTABLE, desc = "the first ended after the look")
    @Outcome(id = "nobody, nobody", expect = ACCEPTABLE, desc = "the first had ended, or ended meanwhile")
    @State
    public static class WatchAgainstTheNextCall {

        private final WatchSlot slot = claimed(FIRST);
        private final long seen = slot.state();

        @Actor
        public void calls() {
            slot.end();
            claim(slot, NEXT);
        }

        @Actor
        public void watchdog(LL_Result r) {
            String saw = whose(slot, seen);
            r.r1 = saw;
            r.r2 = slot.promote(seen, FIRST) ? saw : "nobody";
        }
    }

    /** A slot that holds on to a call which has ended is cleared as another claims it. Result: whether that got it, and who is in it. */
    @JCStressTest
    @Description("A slot is cleared as a call claims it: is the call forgotten?")
    @Outcome(id = "true, next", expect = ACCEPTABLE, desc = "claimed before or after the clearing, and is there")
    @Outcome(id = "false, cleared", expect = ACCEPTABLE, desc = "found it claimed for the clearing")
    @State
    public static class ClearAgainstClaim {

        private final WatchSlot slot = claimed(FIRST);
        private final long seen;

        public ClearAgainstClaim() {
            slot.end();
            seen = slot.state();
        }

        @Actor
        public void clear() {
            slot.clear(seen);
        }

        @Actor
        public void claim(ZL_Result r) {
            r.r1 = WatchRaces.claim(slot, NEXT);
        }

        @Arbiter
        public void end(ZL_Result r) {
            long state = slot.state();
            r.r2 = WatchSlot.isWorking(state) ? whose(slot, state) : "cleared";
        }
    }

    /** Result: whether the owner uses the slot, whether the watchdog sees it at work later, and whether the owner would use it again. */
    @JCStressTest
    @Description("A slot is taken out of use as its owner begins a call: is there a call that nobody watches?")
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "began, and is seen at work")
    @Outcome(id = "false, false, false", expect = ACCEPTABLE, desc = "saw that the slot is out of use, and left it")
    @State
    public static class RetireAgainstOwner {

        private static final Thread OWNER = new Thread(() -> {});

        private final WatchSlot slot = WatchSlot.free();

        public RetireAgainstOwner() {
            for (int call = 0; call < WatchSlot.CALLS_TO_OWN; call++) {
                claim();
                slot.end();
            }
        }

        private boolean claim() {
            return slot.claim(OWNER, FIRST, HandTime.START_NANOS, TIMEOUT_NANOS);
        }

        @Actor
        public void begin(ZZZ_Result r) {
            r.r1 = claim();
        }

        @Actor
        public void retire() {
            slot.retire();
        }

        @Arbiter
        public void end(ZZZ_Result r) {
            r.r2 = WatchSlot.isWorking(slot.state());
            if (r.r1) {
                slot.end();
            }
            r.r3 = claim();
        }
    }

    /**
     * A thread makes a call, and the watchdog promotes that as it ends; its alarm goes off at once. Result: whether it was promoted, whether it
     * was told that it was interrupted, and whether the interrupt hit what the thread did next.
     */
    @JCStressTest
    @Description("An alarm goes off as its call ends: does it interrupt what the thread does next?")
    @Outcome(id = "false, false, false", expect = ACCEPTABLE, desc = "ended first")
    @Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "promoted, and ended before the alarm went off")
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "interrupted in time, and taken back")
    @State
    public static class AlarmAgainstEnd {

        private final HandTime hand = new HandTime();
        private final WatchSlot slot = WatchSlot.free();

        @Actor
        public void call(ZZZ_Result r) {
            slot.claim(Thread.currentThread(), null, HandTime.START_NANOS, TIMEOUT_NANOS);
            for (int spin = 0; spin < PATIENCE && WatchSlot.isWorking(slot.state()); spin++) {
                Thread.onSpinWait();
            }
            r.r2 = slot.end();
            r.r3 = InterruptRaces.leaks();
        }

        @Actor
        public void watchdog(ZZZ_Result r) {
            long seen = slot.state();
            for (int spin = 0; spin < PATIENCE && !WatchSlot.isWorking(seen); spin++) {
                Thread.onSpinWait();
                seen = slot.state();
            }
            WatchSlot.Watched call = WatchSlot.isWorking(seen) ? slot.watched(seen) : null;
            if (call == null) {
                return;
            }
            call.alarm().arm(hand.time, 0);
            r.r1 = slot.promote(seen, call.alarm());
            if (r.r1) {
                hand.fire();
            } else {
                call.alarm().off();
            }
        }
    }
}
