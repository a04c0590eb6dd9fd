package io.nopanic.ratelimit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Permits that a limiter has leased to its stripes; here to one, so that everybody is at home in it. */
public final class LeaseRaces {

    private static final int LEASE = 3;
    private static final int PATIENCE = 100;

    private LeaseRaces() {}

    private static Leases open(int permits) {
        Leases leases = new Leases(1, LEASE);
        leases.open(permits);
        return leases;
    }

    /** Whether there was no other lease on its way. */
    private static boolean lease(Leases leases, int permits) {
        long mark = leases.mark();
        if (mark == Leases.NO_MARK) {
            return false;
        }
        leases.fill(mark, permits);
        return true;
    }

    /** The stripe is empty, and two calls lease for it. Result: who did, permits in it. */
    @JCStressTest
    @Description("Two calls find a stripe empty: is there only one lease at one time?")
    @Outcome(id = "true, false, 3", expect = ACCEPTABLE, desc = "the one leased")
    @Outcome(id = "false, true, 3", expect = ACCEPTABLE, desc = "the other leased")
    @State
    public static class LeaseAgainstLease {

        private final Leases leases = open(0);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = lease(leases, LEASE);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = lease(leases, LEASE);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = leases.close();
        }
    }

    /** A lease that is under way for a moment, or until somebody has closed the stripes. */
    private static final class SlowLease {

        private volatile boolean closed;

        void lease(Leases leases) {
            long mark = leases.mark();
            for (int spin = 0; spin < PATIENCE && !closed; spin++) {
                Thread.onSpinWait();
            }
            if (mark != Leases.NO_MARK) {
                leases.fill(mark, LEASE);
            }
        }
    }

    /** A lease is on its way while the stripes are closed and opened again. Result: how many permits the closing found, and how many are there in the end. */
    @JCStressTest
    @Description("A lease comes as the stripes are closed: is it put into them once they are open again?")
    @Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "filled before the closing")
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "leased after the opening")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "came too late and was dropped, or found the stripe closed")
    @State
    public static class FillAgainstClose {

        private final Leases leases = open(0);
        private final SlowLease slow = new SlowLease();

        @Actor
        public void lease() {
            slow.lease(leases);
        }

        @Actor
        public void close(II_Result r) {
            r.r1 = leases.close();
            slow.closed = true;
            leases.open(r.r1);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r2 = leases.close();
        }
    }

    /**
     * A lease is on its way while the stripes are closed, opened empty, and leased for again, with one permit. Result: whether the second could be begun, and permits
     * in the end.
     */
    @JCStressTest
    @Description("A lease from before a closing meets one from after it: is its mark taken for the other's?")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "the first was over by then, or dropped")
    @Outcome(
            id = "false, 3",
            expect = ACCEPTABLE,
            desc = "the first, too, began after the closing, and was the only one")
    @State
    public static class FillAgainstTheNextLease {

        private final Leases leases = open(0);
        private final SlowLease slow = new SlowLease();

        @Actor
        public void before() {
            slow.lease(leases);
        }

        @Actor
        public void after(ZI_Result r) {
            leases.close();
            leases.open(0);
            long mark = leases.mark();
            slow.closed = true;
            r.r1 = mark != Leases.NO_MARK;
            if (r.r1) {
                leases.fill(mark, 1);
            }
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = leases.close();
        }
    }

    /** Two permits are there; a call takes one while the stripes are closed for good. Result: whether it got it, and how many the closing found. */
    @JCStressTest
    @Description("A leased permit is used as the stripes are closed: does only one of the two have it?")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "used before the closing")
    @Outcome(id = "false, 2", expect = ACCEPTABLE, desc = "found the stripe closed")
    @State
    public static class TakeAgainstClose {

        private final Leases leases = open(2);

        @Actor
        public void take(ZI_Result r) {
            r.r1 = leases.tryTake(1);
        }

        @Actor
        public void close(ZI_Result r) {
            r.r2 = leases.close();
        }
    }

    /** A meter whose bucket is empty and whose four stripes hold a permit each, and somebody who counts these, for which they are called in. */
    private static final class Counted {

        private static final int LEASED = 4;

        private final LeasedBucket meter =
                new LeasedBucket(new Rate(1, Duration.ofSeconds(1), 2 * LEASED), 2, new HandTime().time);
        private volatile boolean begun;

        Counted() {
            if (!meter.tryTake(LEASED, HandTime.START_NANOS)) {
                throw new IllegalStateException("the bucket holds what is not leased");
            }
        }

        void count() {
            begun = true;
            for (int i = 0; i < LEASED; i++) {
                meter.close();
                meter.available(HandTime.START_NANOS);
                meter.open();
            }
        }

        /** Asks for permits when the counting has begun, as often as there are permits. */
        String ask(int permits) {
            for (int spin = 0; spin < PATIENCE && !begun; spin++) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < LEASED; i++) {
                if (meter.takeOrWaitNanos(permits, HandTime.START_NANOS) > 0) {
                    return "refused";
                }
            }
            return "taken or sent to the line";
        }
    }

    /** Four permits are leased, and are called in to be counted. Result: what four calls are told that ask for one permit each. */
    @JCStressTest
    @Description(
            "Leases are called in and dealt out again as calls ask for a permit: is one refused though it is free?")
    @Outcome(id = "taken or sent to the line", expect = ACCEPTABLE, desc = "found it, or that something is closed")
    @State
    public static class AskForOneAgainstCount {

        private final Counted counted = new Counted();

        @Actor
        public void ask(L_Result r) {
            r.r1 = counted.ask(1);
        }

        @Actor
        public void count() {
            counted.count();
        }
    }

    /** Four permits are leased to four stripes, and are called in to be counted. Result: what calls are told that ask for two permits. */
    @JCStressTest
    @Description(
            "Leases are called in and dealt out again as calls ask for two permits: is one refused though four are free?")
    @Outcome(id = "taken or sent to the line", expect = ACCEPTABLE, desc = "sent there, which puts them together")
    @State
    public static class AskForTwoAgainstCount {

        private final Counted counted = new Counted();

        @Actor
        public void ask(L_Result r) {
            r.r1 = counted.ask(2);
        }

        @Actor
        public void count() {
            counted.count();
        }
    }
}
