package io.nopanic.engine;

import io.nopanic.spi.Admission;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Two policies that let calls in, one right inside the other, as one step of a blocking call: what their {@link AdmissionStage}s do in turn. A policy
 * that has no permit at once is left to its stage.
 *
 * <p>It says everything twice on purpose. The compiler learns line by line what kind of policy it meets there; where most pipelines of
 * a process are alike, it can make one piece of code out of the two and what follows.
 */
final class AdmissionPair extends Step {

    private final AdmissionStage outerStage;
    private final AdmissionStage innerStage;
    private final Admission outer;
    private final Admission inner;
    private final Step next;

    AdmissionPair(Context context, AdmissionStage outerStage, AdmissionStage innerStage) {
        super(context, outerStage.readsTimeOnEntry);
        this.outerStage = outerStage;
        this.innerStage = innerStage;
        outer = outerStage.admission;
        inner = innerStage.admission;
        next = innerStage.next;
    }

    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        long startNanos = timeOnEntry(nowNanos);
        long outerPermit = outer.tryAcquire(startNanos);
        if (outerPermit < 0) {
            return outerStage.callAfterEntering(body, deadlineNanos);
        }
        Object outcome = null;
        Throwable error;
        try {
            long innerPermit = inner.tryAcquire(startNanos);
            if (innerPermit < 0) {
                outcome = innerStage.callAfterEntering(body, deadlineNanos);
                error = Thrown.errorOf(outcome);
            } else {
                try {
                    outcome = next.call(body, startNanos, deadlineNanos);
                    error = Thrown.errorOf(outcome);
                } catch (Throwable thrown) {
                    error = thrown;
                }
                Object result = error == null ? outcome : null;
                long endNanos = innerStage.timeOnSettle(startNanos);
                Waits.wake(inner.settle(innerPermit, startNanos, endNanos, result, error));
            }
        } catch (Throwable thrown) {
            outcome = null;
            error = thrown;
        }
        Object result = error == null ? outcome : null;
        long endNanos = outerStage.timeOnSettle(startNanos);
        Waits.wake(outer.settle(outerPermit, startNanos, endNanos, result, error));
        return Thrown.outcome(outcome, error);
    }
}
