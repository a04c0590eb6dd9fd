package io.nopanic.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.spi.Admission;
import io.nopanic.stress.interleavings.HandTime;
import java.util.function.IntSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LLLL_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** Permits of a bulkhead without a queue: never more than there are, and none lost. */
public final class PermitRaces {

    private PermitRaces() {}

    private static long acquire(Bulkhead bulkhead) {
        return bulkhead.tryAcquire(HandTime.START_NANOS);
    }

    private static boolean isLetIn(Bulkhead bulkhead) {
        return acquire(bulkhead) != Admission.NOT_NOW;
    }

    private static void release(Bulkhead bulkhead, long permit) {
        bulkhead.settle(permit, HandTime.START_NANOS, HandTime.START_NANOS, "result", null);
    }

    /** Result: who got it, permits in use, permits available. */
    @JCStressTest
    @Description("Two calls for one permit: does exactly one get it?")
    @Outcome(id = "true, false, 1, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, 1, 0", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class AcquireAgainstAcquire {

        private final Bulkhead bulkhead = Bulkhead.of(1);

        @Actor
        public void one(LLLL_Result r) {
            r.r1 = isLetIn(bulkhead);
        }

        @Actor
        public void other(LLLL_Result r) {
            r.r2 = isLetIn(bulkhead);
        }

        @Arbiter
        public void end(LLLL_Result r) {
            r.r3 = bulkhead.inUse();
            r.r4 = bulkhead.available();
        }
    }

    /** One call gives the only permit back while another one takes it if it can. Result: whether it could, permits in use, permits available. */
    @JCStressTest
    @Description("A permit comes back as another call asks for one: is it lost, or given twice?")
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "it came back first")
    @Outcome(id = "false, 0, 1", expect = ACCEPTABLE, desc = "the call came first and was refused")
    @State
    public static class AcquireAgainstRelease {

        private final Bulkhead bulkhead = Bulkhead.of(1);
        private final long permit = PermitRaces.acquire(bulkhead);

        @Actor
        public void release() {
            PermitRaces.release(bulkhead, permit);
        }

        @Actor
        public void acquire(ZII_Result r) {
            r.r1 = isLetIn(bulkhead);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r2 = bulkhead.inUse();
            r.r3 = bulkhead.available();
        }
    }

    /** Two calls give their permits back. Result: whether both can be had again, permits in use, permits available. */
    @JCStressTest
    @Description("Two permits come back at one moment: are both there again?")
    @Outcome(id = "true, true, 2, 0", expect = ACCEPTABLE, desc = "both")
    @State
    public static class ReleaseAgainstRelease {

        private final Bulkhead bulkhead = Bulkhead.of(2);
        private final long onesPermit = acquire(bulkhead);
        private final long othersPermit = acquire(bulkhead);

        @Actor
        public void one() {
            release(bulkhead, onesPermit);
        }

        @Actor
        public void other() {
            release(bulkhead, othersPermit);
        }

        @Arbiter
        public void end(LLLL_Result r) {
            r.r1 = isLetIn(bulkhead);
            r.r2 = isLetIn(bulkhead);
            r.r3 = bulkhead.inUse();
            r.r4 = bulkhead.available();
        }
    }

    /** The limit is lowered from two to one while a second call asks. Result: whether it was let in, permits in use, permits available. */
    @JCStressTest
    @Description("The limit is lowered as a call asks: is a permit given beyond the new limit?")
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "let in under the old limit")
    @Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "refused under the new one")
    @State
    public static class AcquireAgainstResize {

        private final Bulkhead bulkhead = Bulkhead.of(2);

        public AcquireAgainstResize() {
            PermitRaces.acquire(bulkhead);
        }

        @Actor
        public void resize() {
            bulkhead.resize(1, 0);
        }

        @Actor
        public void acquire(ZII_Result r) {
            r.r1 = isLetIn(bulkhead);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r2 = bulkhead.inUse();
            r.r3 = bulkhead.available();
        }
    }

    /** The limit is raised from one to three, and with it the number of stripes, while the only permit comes back. Result: permits in use, permits available. */
    @JCStressTest
    @Description("A permit comes back as the limit is raised: does it get lost with the stripes that are replaced?")
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "back in the old stripe or in a new one")
    @State
    public static class ReleaseAgainstResize {

        private final Bulkhead bulkhead = Bulkhead.of(1);
        private final long permit = acquire(bulkhead);

        @Actor
        public void release() {
            PermitRaces.release(bulkhead, permit);
        }

        @Actor
        public void resize() {
            bulkhead.resize(3, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = bulkhead.inUse();
            r.r2 = bulkhead.available();
        }
    }

    /** Five permits of twenty are in use, and none comes or goes while the limit is changed to twelve and back. */
    private static final class Resized {

        private static final int CHANGES = 10;
        private static final int LOOKS = 100;

        private final Bulkhead bulkhead = Bulkhead.of(20);

        Resized() {
            for (int i = 0; i < 5; i++) {
                acquire(bulkhead);
            }
        }

        void resize() {
            for (int i = 0; i < CHANGES; i++) {
                bulkhead.resize(12, 0);
                bulkhead.resize(20, 0);
            }
        }

        /** The first number that is not as it can be before or after; else the last. */
        int look(IntSupplier number, int before, int after) {
            int seen = before;
            for (int i = 0; i < LOOKS && (seen == before || seen == after); i++) {
                seen = number.getAsInt();
            }
            return seen;
        }
    }

    /** The limit changes, and nothing else. Result: permits in use, as seen meanwhile. */
    @JCStressTest
    @Description(
            "The limit changes as somebody counts the calls that run: is there a moment at which the number is wrong?")
    @Outcome(id = "5", expect = ACCEPTABLE, desc = "as many as run all the while")
    @State
    public static class CountInUseAgainstResize {

        private final Resized resized = new Resized();

        @Actor
        public void resize() {
            resized.resize();
        }

        @Actor
        public void count(I_Result r) {
            r.r1 = resized.look(resized.bulkhead::inUse, 5, 5);
        }
    }

    /** The limit changes, and nothing else. Result: permits available, as seen meanwhile. */
    @JCStressTest
    @Description(
            "The limit changes as somebody counts the permits that are free: is the sum made of old and new parts?")
    @Outcome(id = "15", expect = ACCEPTABLE, desc = "of twenty")
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "of twelve")
    @State
    public static class CountAvailableAgainstResize {

        private final Resized resized = new Resized();

        @Actor
        public void resize() {
            resized.resize();
        }

        @Actor
        public void count(I_Result r) {
            r.r1 = resized.look(resized.bulkhead::available, 15, 7);
        }
    }
}
