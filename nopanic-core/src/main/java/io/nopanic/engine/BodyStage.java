package io.nopanic.engine;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** The guarded code, at the end of every pipeline. */
final class BodyStage extends Stage {

    BodyStage(Context context) {
        super(context, false);
    }

    @Override
    <T> T call(Callable<? extends T> body, long nowNanos, long deadlineNanos) throws Exception {
        return body.call();
    }

    @Override
    Move down(StagedCall<?> call) {
        if (call.isAbandoned()) {
            return call.fail(call.cancelled());
        }
        CompletionStage<?> stage =
                Objects.requireNonNull(call.body.get(), "the guarded code returned no stage but null");
        call.timeHasPassed();
        return Waits.await(call, stage);
    }
}
