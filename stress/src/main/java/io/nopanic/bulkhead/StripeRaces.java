package io.nopanic.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Permits that are spread over stripes, while they are taken, moved, and closed. */
public final class StripeRaces {

    /** The home of a permit that goes back to the last of however many stripes. */
    private static final long LAST_HOME = (1L << 32) - 1;

    private StripeRaces() {}

    private static Stripes open(int stripes, int permits) {
        Stripes open = new Stripes(stripes);
        open.open(permits);
        return open;
    }

    /** A home in the other half of the stripes. */
    private static long awayFrom(long home) {
        return home ^ (1L << 31);
    }

    /** A permit comes back while the stripes are closed and opened again. Result: whether it could be given back, how many were free at the closing and are after it. */
    @JCStressTest
    @Description("A permit comes back as the stripes are closed: is it either found by the one who closes, or kept?")
    @Outcome(id = "true, 1, 1", expect = ACCEPTABLE, desc = "it came back before the closing")
    @Outcome(id = "true, 0, 1", expect = ACCEPTABLE, desc = "after the opening")
    @Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "found the stripe closed")
    @State
    public static class GiveBackAgainstClose {

        private final Stripes stripes = open(1, 0);

        @Actor
        public void giveBack(ZII_Result r) {
            r.r1 = stripes.tryGiveBack(LAST_HOME);
        }

        @Actor
        public void close(ZII_Result r) {
            r.r2 = stripes.close();
            stripes.open(r.r2);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = (int) stripes.free();
        }
    }

    /** A permit is taken while the stripes are closed and opened again. Result: whether one was taken, how many were free at the closing and are after it. */
    @JCStressTest
    @Description("A permit is taken as the stripes are closed: does only one of the two have it?")
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "taken before the closing")
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "taken after the opening")
    @Outcome(id = "false, 1, 1", expect = ACCEPTABLE, desc = "found a stripe closed")
    @State
    public static class TakeAgainstClose {

        private final Stripes stripes = open(2, 1);

        @Actor
        public void take(ZII_Result r) {
            r.r1 = stripes.tryTake() >= 0;
        }

        @Actor
        public void close(ZII_Result r) {
            r.r2 = stripes.close();
            stripes.open(r.r2);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = (int) stripes.free();
        }
    }

    /** One permit, and two calls whose homes may differ. Result: who got it, permits left. */
    @JCStressTest
    @Description("Two calls for the only permit of several stripes: does exactly one get it?")
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class TakeAgainstTake {

        private final Stripes stripes = open(4, 1);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = stripes.tryTake() >= 0;
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = stripes.tryTake() >= 0;
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = (int) stripes.free();
        }
    }

    /** Two permits, one of which is carried from stripe to stripe, over and over, so that the other one is always free in one of them. Result: whether whoever asks is let in every time. */
    @JCStressTest
    @Description("The permit that is free moves to where it was not seen, as it is looked for: is anybody refused?")
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "nobody was refused")
    @State
    public static class NobodyIsRefusedWhileOneMoves {

        private static final int ROUNDS = 200;

        private final Stripes stripes = open(2, 1);

        @Actor
        public void move() {
            boolean isHeld = true;
            for (int round = 0; round < ROUNDS; round++) {
                long to = round % 2 == 0 ? LAST_HOME : 0;
                if (isHeld) {
                    stripes.tryGiveBack(to);
                }
                isHeld = stripes.tryTake(awayFrom(to)) >= 0;
            }
        }

        @Actor
        public void ask(Z_Result r) {
            r.r1 = true;
            for (int round = 0; round < ROUNDS; round++) {
                long home = stripes.tryTake(0);
                r.r1 &= home >= 0;
                if (home >= 0) {
                    stripes.tryGiveBack(home);
                }
            }
        }
    }

    /**
     * As many permits as calls, which take and give back over and over, and always to where they do not look first: so there is one for each at
     * any moment, but never for long in one place. Result: whether each was let in every time.
     */
    @JCStressTest
    @Description("Permits move while calls look for one: is a call refused although one is free at any moment?")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "nobody was refused")
    @State
    public static class NobodyIsRefusedWhileOneIsFree {

        private static final int ROUNDS = 200;

        private final Stripes stripes = open(2, 2);

        private boolean isNeverRefused() {
            boolean refused = false;
            for (int round = 0; round < ROUNDS; round++) {
                long home = stripes.tryTake();
                if (home >= 0) {
                    stripes.tryGiveBack(awayFrom(home));
                } else {
                    refused = true;
                }
            }
            return !refused;
        }

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = isNeverRefused();
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = isNeverRefused();
        }
    }
}
