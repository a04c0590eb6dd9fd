package io.nopanic.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A thread that is interrupted as its work ends. */
public final class InterruptRaces {

    private static final int LOOKS = 50;
    private static final int PATIENCE = 1_000;

    private InterruptRaces() {}

    /** A thread and the one that interrupts it, who wait a moment for each other, since the work is so short. */
    private static final class Meeting {

        private volatile @Nullable Interruption interruption;
        private volatile boolean interrupterIsHere;

        boolean workToTheEnd() {
            Interruption own = new Interruption(Thread.currentThread());
            interruption = own;
            for (int spin = 0; spin < PATIENCE && !interrupterIsHere; spin++) {
                Thread.onSpinWait();
            }
            return own.done();
        }

        boolean interrupt() {
            interrupterIsHere = true;
            Interruption seen = interruption;
            for (int spin = 0; spin < PATIENCE && seen == null; spin++) {
                Thread.onSpinWait();
                seen = interruption;
            }
            return seen != null && seen.interrupt();
        }
    }

    /** Whether an interrupt arrives now or in the next moments; takes it back. */
    static boolean leaks() {
        boolean leaked = false;
        for (int look = 0; look < LOOKS; look++) {
            leaked |= Thread.interrupted();
            Thread.onSpinWait();
        }
        return leaked;
    }

    /** Result: whether the interrupter was told that it came in time, whether the worker was told so, and whether the interrupt hit what came after the work. */
    @JCStressTest
    @Description("A thread is interrupted as its work ends: does the interrupt hit what it does next?")
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "interrupted in time, and taken back")
    @Outcome(id = "false, false, false", expect = ACCEPTABLE, desc = "too late, and not delivered")
    @State
    public static class InterruptAgainstDone {

        private final Meeting meeting = new Meeting();

        @Actor
        public void work(ZZZ_Result r) {
            r.r2 = meeting.workToTheEnd();
            r.r3 = leaks();
        }

        @Actor
        public void interrupt(ZZZ_Result r) {
            r.r1 = meeting.interrupt();
        }
    }

    /** As above, with an interrupt by somebody else that was there before the work: it must be left. Result: as above, and whether the older interrupt is still there. */
    @JCStressTest
    @Description(
            "A thread that was interrupted before is interrupted as its work ends: is the older interrupt left as it was?")
    @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "interrupted in time; the older interrupt stands")
    @Outcome(id = "false, false, true", expect = ACCEPTABLE, desc = "too late; the older interrupt stands")
    @State
    public static class OlderInterruptStands {

        private final Meeting meeting = new Meeting();

        @Actor
        public void work(ZZZ_Result r) {
            Thread.currentThread().interrupt();
            r.r2 = meeting.workToTheEnd();
            r.r3 = Thread.interrupted() && !leaks();
        }

        @Actor
        public void interrupt(ZZZ_Result r) {
            r.r1 = meeting.interrupt();
        }
    }
}
