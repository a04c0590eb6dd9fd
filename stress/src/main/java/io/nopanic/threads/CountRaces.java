package io.nopanic.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** Threads that share a count of which one becomes the owner. */
public final class CountRaces {

    private static final int INDEX = StripeLayout.STRIDE;

    private CountRaces() {}

    private static long[] noCount() {
        return new long[2 * StripeLayout.STRIDE];
    }

    private static void increment(long[] words) {
        BiasedCount.increment(words, INDEX, Thread.currentThread().getId());
    }

    /** Both add three times to a count without an owner. Result: the sum. */
    @JCStressTest
    @Description("Two threads add to one count as one of them becomes its owner: is everything counted, once?")
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "every addition, whoever became the owner and when")
    @State
    public static class Additions {

        private final long[] words = noCount();

        @Actor
        public void one() {
            add();
        }

        @Actor
        public void other() {
            add();
        }

        private void add() {
            increment(words);
            increment(words);
            increment(words);
        }

        @Arbiter
        public void end(J_Result r) {
            r.r1 = BiasedCount.sum(words, INDEX);
        }
    }

    /** One adds three times while the other sums up twice. Result: both sums. */
    @JCStressTest
    @Description("One sums up twice while another adds: does the sum ever go down?")
    @Outcome(
            id = {"0, 0", "0, 1", "0, 2", "0, 3"},
            expect = ACCEPTABLE,
            desc = "nothing yet, and then what had come by then")
    @Outcome(
            id = {"1, 1", "1, 2", "1, 3", "2, 2", "2, 3", "3, 3"},
            expect = ACCEPTABLE,
            desc = "never less than before")
    @State
    public static class SumAgainstAdditions {

        private final long[] words = noCount();

        @Actor
        public void add() {
            increment(words);
            increment(words);
            increment(words);
        }

        @Actor
        public void sum(JJ_Result r) {
            r.r1 = BiasedCount.sum(words, INDEX);
            r.r2 = BiasedCount.sum(words, INDEX);
        }
    }

    /** The owner adds and then raises a flag; the other sees the flag and sums up. Result: whether it saw the flag, and the sum. */
    @JCStressTest
    @Description("An owner adds, then writes something else: can that be seen without what was added?")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "no flag seen, nor what came before it")
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "no flag seen; the addition was already there")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "who sees the flag sees the addition")
    @State
    public static class AdditionBeforeFlag {

        private final long[] words = noCount();
        private volatile int flag;

        @Actor
        public void owner() {
            increment(words);
            increment(words);
            flag = 1;
        }

        @Actor
        public void reader(JJ_Result r) {
            r.r1 = flag;
            long sum = BiasedCount.sum(words, INDEX);
            r.r2 = Math.max(1, sum);
        }
    }
}
