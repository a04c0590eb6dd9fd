package io.nopanic.engine;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The guarded code, at the end of every pipeline. */
final class BodyStage extends Stage {

    BodyStage(Context context) {
        super(context, false);
    }

    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) {
        try {
            return body.call();
        } catch (Throwable thrown) {
            return new Thrown(thrown);
        }
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
