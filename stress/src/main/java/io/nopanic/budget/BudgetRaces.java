package io.nopanic.budget;

import static io.nopanic.stress.interleavings.HandTime.START_NANOS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The books of a budget that allows one extra call in ten seconds, whatever the traffic: a slice is a second. */
public final class BudgetRaces {

    private static final long SLICE_NANOS = 1_000_000_000L;

    private BudgetRaces() {}

    private static Budget.Builder settings() {
        return Budget.builder().window(Duration.ofSeconds(10)).time(new HandTime().time);
    }

    private static Budget ofOne() {
        return settings().ratio(0).minPerSecond(0.1).build();
    }

    /** Result: who got it, what is left. */
    @JCStressTest
    @Description("Two retries for one extra call: is exactly one granted?")
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class SpendAgainstSpend {

        private final Budget budget = ofOne();

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = budget.trySpend(START_NANOS);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = budget.trySpend(START_NANOS);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = (int) budget.available();
        }
    }

    /** The second question comes when the slice of the first is over, and puts up the next one. Result: who got it, what is left. */
    @JCStressTest
    @Description("The ledger turns to the next slice as a retry is granted in the old one: is the grant carried over?")
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "granted before the turn, and carried over")
    @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "granted after the turn")
    @State
    public static class SpendAgainstTurn {

        private final Budget budget = ofOne();

        @Actor
        public void spend(ZZI_Result r) {
            r.r1 = budget.trySpend(START_NANOS);
        }

        @Actor
        public void turn(ZZI_Result r) {
            r.r2 = budget.trySpend(START_NANOS + SLICE_NANOS);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = (int) budget.available();
        }
    }

    /** The one extra call was granted and is given back, as another retry asks. Result: whether it was granted, what is left. */
    @JCStressTest
    @Description("An extra call is given back as another one is asked for: is it lost, or granted twice?")
    @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "given back first")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "asked first")
    @State
    public static class SpendAgainstGiveBack {

        private final Budget budget = ofOne();

        public SpendAgainstGiveBack() {
            budget.trySpend(START_NANOS);
        }

        @Actor
        public void giveBack() {
            budget.giveBack(START_NANOS);
        }

        @Actor
        public void spend(ZI_Result r) {
            r.r1 = budget.trySpend(START_NANOS);
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = (int) budget.available();
        }
    }

    /** Each call earns one extra call, and two calls begin. Result: extra calls available. */
    @JCStressTest
    @Description("Two calls begin at one moment: are both counted?")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both")
    @State
    public static class CountAgainstCount {

        private final Budget budget = settings().ratio(1).minPerSecond(0).build();

        @Actor
        public void one() {
            budget.onCall();
        }

        @Actor
        public void other() {
            budget.onCall();
        }

        @Arbiter
        public void end(I_Result r) {
            r.r1 = (int) budget.available();
        }
    }
}
