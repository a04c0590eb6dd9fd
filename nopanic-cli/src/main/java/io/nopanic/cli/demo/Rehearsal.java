package io.nopanic.cli.demo;

import io.nopanic.time.Time;

/**
 * The script without a network, on a clock that skips all waiting. Takes a moment, and after it no call of the performance pays for loading the
 * classes of the guard; that of the first refusal would be held up by it.
 */
final class Rehearsal {

    private final Time real = Time.system();
    private final Time skipping =
            Time.of(() -> this.nowNanos, real::schedule, (blocker, nanos) -> this.nowNanos += nanos, real::wallTime);
    private long nowNanos;

    private Rehearsal() {}

    static Lesson hold() throws InterruptedException {
        Time time = new Rehearsal().skipping;
        return Lesson.teach(new Script(time, new ScriptedDependency(time)), heldUpNanos -> {});
    }
}
