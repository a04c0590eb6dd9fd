package io.nopanic.testkit;

import io.nopanic.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A {@link ScriptedDependency} behind a {@link Pipeline}, called in one {@link Mode}. Tests written against this class hold for every mode.
 * Thread-safe.
 */
public final class Guarded {

    private final Mode mode;
    private final Pipeline pipeline;
    private final VirtualTime time;
    private final ScriptedDependency dependency;

    Guarded(Mode mode, Pipeline pipeline, VirtualTime time, ScriptedDependency dependency) {
        this.mode = mode;
        this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
        this.time = Objects.requireNonNull(time, "time");
        this.dependency = Objects.requireNonNull(dependency, "dependency");
    }

    /**
     * Makes a call and lets time pass until it has ended. It never throws what the call threw.
     *
     * @throws IllegalStateException if the call cannot end, because nothing is left to happen
     */
    public Answer call() {
        return mode == Mode.BLOCKING && time.isAutomatic() ? block() : start().answer();
    }

    /** Makes calls one after the other. */
    public List<Answer> call(int times) {
        List<Answer> answers = new ArrayList<>(times);
        for (int i = 0; i < times; i++) {
            answers.add(call());
        }
        return List.copyOf(answers);
    }

    /** Lets time pass, then makes a call. */
    public Answer callAfter(Duration duration) {
        time.advance(duration);
        return call();
    }

    /**
     * Starts a call and returns when it has ended or waits; no time passes. So several calls can be in flight.
     *
     * @throws IllegalStateException if the mode is blocking and the time automatic: calls on several threads need {@link VirtualTime#manual()}
     */
    public GuardedCall start() {
        return mode == Mode.BLOCKING
                ? GuardedCall.onThread(time, this::block)
                : GuardedCall.ofStage(time, () -> pipeline.callAsync(() -> mode.stageOf(dependency)));
    }

    /** Starts several calls, one after the other. */
    public List<GuardedCall> start(int count) {
        List<GuardedCall> calls = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            calls.add(start());
        }
        return List.copyOf(calls);
    }

    /** The pipeline. */
    public Pipeline pipeline() {
        return pipeline;
    }

    /** The dependency. */
    public ScriptedDependency dependency() {
        return dependency;
    }

    private Answer block() {
        Duration start = time.elapsed();
        try {
            Object value = pipeline.call(dependency);
            return new Answer(value, null, time.elapsed().minus(start));
        } catch (Throwable thrown) {
            return new Answer(null, thrown, time.elapsed().minus(start));
        }
    }

    @Override
    public String toString() {
        return "dependency behind " + pipeline + ", mode " + mode;
    }
}
