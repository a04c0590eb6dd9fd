package io.nopanic.testkit;

import io.nopanic.pipeline.Pipeline;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which guarded code can be called. A test of what policies do should hold in each of them, for example as a parameterized
 * test over this enum:
 *
 * <pre>{@code
 * @ParameterizedTest
 * @EnumSource(Mode.class)
 * void retriesTwice(Mode mode) {
 *     Guarded service = mode.guard(Pipeline.of(retry), time, ScriptedDependency.on(time).fail(2).thenSucceed("ok"));
 *     assertThat(service.call().value()).isEqualTo("ok");
 * }
 * }</pre>
 */
public enum Mode {
    /** The code blocks its thread. */
    BLOCKING,
    /** The code returns a stage that has ended, unless the call takes time. */
    COMPLETE_STAGE,
    /** The code returns a stage that ends later. */
    PENDING_STAGE;

    /**
     * A dependency behind a pipeline, called in this way.
     *
     * @param time the time on which the pipeline's policies run
     */
    public Guarded guard(Pipeline pipeline, VirtualTime time, ScriptedDependency dependency) {
        return new Guarded(this, pipeline, time, dependency);
    }

    /**
     * Runs a scenario in every mode, for tests that are not parameterized.
     *
     * @throws AssertionError if the scenario fails, saying in which mode
     */
    public static void inEvery(Consumer<Mode> scenario) {
        for (Mode mode : values()) {
            try {
                scenario.accept(mode);
            } catch (Throwable thrown) {
                throw new AssertionError("in mode " + mode + ": " + thrown.getMessage(), thrown);
            }
        }
    }

    CompletionStage<@Nullable Object> stageOf(ScriptedDependency dependency) {
        return this == PENDING_STAGE ? dependency.pendingStage() : dependency.completeStage();
    }
}
