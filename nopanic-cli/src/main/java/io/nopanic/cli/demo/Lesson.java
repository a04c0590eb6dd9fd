package io.nopanic.cli.demo;

import java.util.function.LongConsumer;

/**
 * The two runs of the demonstration.
 *
 * @param without the calls without a breaker
 * @param with the calls with one
 */
record Lesson(Run without, Run with) {

    private static final int ATTEMPTS = 5;

    /**
     * Makes both runs. The second is made anew, a few times at most, when the counts are not those that follow from the policy and the machine held
     * the caller up for longer than the script can take.
     *
     * @param heldUp told for how many nanoseconds, each time this happens
     */
    static Lesson teach(Script script, LongConsumer heldUp) throws InterruptedException {
        Run without = script.withoutBreaker();
        Lesson lesson = new Lesson(without, script.withBreaker());
        for (int i = 1; i < ATTEMPTS && !lesson.holds() && lesson.with.heldUpNanos() >= Script.SPARE_NANOS; i++) {
            heldUp.accept(lesson.with.heldUpNanos());
            lesson = new Lesson(without, script.withBreaker());
        }
        return lesson;
    }

    /** Whether the counts are those that follow from the policy. */
    boolean holds() {
        return has(without, 30, 25, 5, 0) && has(with, 15, 10, 5, 15);
    }

    private static boolean has(Run run, int reached, int ok, int failed, int shortCircuited) {
        return run.reached() == reached
                && run.count(MadeCall.Outcome.OK) == ok
                && run.count(MadeCall.Outcome.FAILED) == failed
                && run.count(MadeCall.Outcome.SHORT_CIRCUITED) == shortCircuited;
    }
}
