package io.nopanic.breaker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A count window that is clean, so that successes need not be written; and becomes so, or not, just now. */
public final class StainRaces {

    private StainRaces() {}

    /** A count window of one call, which ended like this. */
    private static CountWindow window(Ending only) {
        CountWindow window = new CountWindow(new Thresholds(1, 1, Thresholds.OFF, Thresholds.OFF), 1);
        window.record(only, 0);
        return window;
    }

    private static int failures(CountWindow window) {
        return (int) window.counts(Overdue.NONE, 0).failures();
    }

    private static int bad(CountWindow window) {
        return (int) window.counts(Overdue.NONE, 0).failedOrSlow();
    }

    /** A count window of one call that was good, so that further ones need not be written. Result: failures after that, and after one more success. */
    @JCStressTest
    @Description("A success that need not be written meets a failure: does the failure stay for ever?")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the success took its place")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the failure was last, and the next success took its place")
    @State
    public static class CleanAgainstFailure {

        private final CountWindow window = window(Ending.SUCCESS);

        @Actor
        public void succeed() {
            window.record(Ending.SUCCESS, 0);
        }

        @Actor
        public void fail() {
            window.record(Ending.FAILURE, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = failures(window);
            window.record(Ending.SUCCESS, 0);
            r.r2 = failures(window);
        }
    }

    /** A count window of one call that failed, and two that are good. Result: failures after one more has failed, and after a success. */
    @JCStressTest
    @Description("Two successes replace one failure: is the window taken for clean when the next failure is in it?")
    @Outcome(
            id = "1, 0",
            expect = ACCEPTABLE,
            desc = "the next failure counts, and the success after it took its place")
    @State
    public static class TwoSuccessesForOneStain {

        private final CountWindow window = window(Ending.FAILURE);

        @Actor
        public void one() {
            window.record(Ending.SUCCESS, 0);
        }

        @Actor
        public void other() {
            window.record(Ending.SUCCESS, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            window.record(Ending.FAILURE, 0);
            r.r1 = failures(window);
            window.record(Ending.SUCCESS, 0);
            r.r2 = failures(window);
        }
    }

    /** A count window of one call that was good, and two that fail. Result: failures after that, and after a success. */
    @JCStressTest
    @Description("Two failures take one place, and each has been added before it is there: is one taken off again?")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one is left, and the success after it took its place")
    @State
    public static class TwoFailuresForOnePlace {

        private final CountWindow window = window(Ending.SUCCESS);

        @Actor
        public void one() {
            window.record(Ending.FAILURE, 0);
        }

        @Actor
        public void other() {
            window.record(Ending.FAILURE, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = failures(window);
            window.record(Ending.SUCCESS, 0);
            r.r2 = failures(window);
        }
    }

    /** A count window of one call that failed, a slow success and a good call. Result: bad calls after that, and after one more success. */
    @JCStressTest
    @Description("A slow call and a good one replace a failure and each other: do the totals stay true?")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the good one was last")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the slow one was last, and the next success took its place")
    @State
    public static class SlowAndGoodForOneStain {

        private final CountWindow window = window(Ending.FAILURE);

        @Actor
        public void slow() {
            window.record(Ending.SLOW_SUCCESS, 0);
        }

        @Actor
        public void good() {
            window.record(Ending.SUCCESS, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = bad(window);
            window.record(Ending.SUCCESS, 0);
            r.r2 = bad(window);
        }
    }

    /** A count window of one call that failed, and a slow success. Result: how many of the calls seem to be bad meanwhile. */
    @JCStressTest
    @Description("A slow call replaces a failure as somebody looks: are both counted, or neither?")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the one or the other")
    @State
    public static class SlowForFailureAgainstLook {

        private final CountWindow window = window(Ending.FAILURE);

        @Actor
        public void record() {
            window.record(Ending.SLOW_SUCCESS, 0);
        }

        @Actor
        public void look(I_Result r) {
            r.r1 = bad(window);
        }
    }

    /** A full count window of two good calls, whose codes are in one word, and two failures. Result: failures after that, and after two successes. */
    @JCStressTest
    @Description("Two failures are written into one word of the ring: does one undo the other?")
    @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "both are there, and the successes took their places")
    @State
    public static class Neighbours {

        private final CountWindow window = new CountWindow(new Thresholds(1, 1, Thresholds.OFF, Thresholds.OFF), 2);

        public Neighbours() {
            succeedTwice();
        }

        private void succeedTwice() {
            window.record(Ending.SUCCESS, 0);
            window.record(Ending.SUCCESS, 0);
        }

        @Actor
        public void one() {
            window.record(Ending.FAILURE, 0);
        }

        @Actor
        public void other() {
            window.record(Ending.FAILURE, 0);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = failures(window);
            succeedTwice();
            r.r2 = failures(window);
        }
    }
}
