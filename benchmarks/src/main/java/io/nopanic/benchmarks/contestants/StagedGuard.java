package io.nopanic.benchmarks.contestants;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A guard around asynchronous calls. */
@FunctionalInterface
public interface StagedGuard extends Subject {

    /** Makes a guarded call. */
    CompletionStage<Object> call(Supplier<CompletionStage<Object>> body) throws Exception;
}
