package io.nopanic.benchmarks.contestants;

import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;

/** SmallRye Fault Tolerance, standalone, through its typed guards. */
final class SmallRye {

    private static final String NAME = "SmallRye";

    private SmallRye() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, NAME + ", count window", SmallRye::breaker),
                new Contestant(Group.BREAKER_FAILING, NAME + ", count window", SmallRye::breaker),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(breaker())),
                new Contestant(Group.RETRY, NAME, () -> guard(retry(blocking()))),
                new Contestant(Group.RETRY_FAILING, NAME, () -> guard(retryAtOnce(blocking()))),
                new Contestant(Group.LIMITER, NAME, () -> guard(limiter(blocking(), Settings.PLENTY))),
                new Contestant(Group.LIMITER_FAILING, NAME, () -> guard(limiter(blocking(), Settings.PLENTY))),
                new Contestant(
                        Group.LIMITER_EMPTY, NAME + ", exception", () -> Emptied.of(guard(limiter(blocking(), 1)))),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(bulkhead(blocking(), Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> guard(bulkhead(blocking(), Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> Occupied.of(guard(bulkhead(blocking(), 1)))),
                new Contestant(Group.TIMEOUT, NAME, () -> guard(timeout(blocking()))),
                new Contestant(Group.TIMEOUT_FAILING, NAME, () -> guard(timeout(blocking()))),
                new Contestant(Group.FALLBACK, NAME, () -> guard(fallback(blocking()))),
                new Contestant(Group.FALLBACK_FAILING, NAME, () -> guard(fallback(blocking()))),
                new Contestant(Group.PIPELINE, NAME, () -> guard(three(retry(blocking())))),
                new Contestant(Group.PIPELINE_FAILING, NAME, () -> guard(three(givingUp(blocking())))),
                new Contestant(Group.PIPELINE_OPEN, NAME, () -> Opened.of(guard(three(givingUp(blocking()))))),
                new Contestant(Group.PIPELINE_FULL, NAME, () -> Occupied.of(full())),
                new Contestant(Group.PIPELINE_LIMITED, NAME, () -> guard(four(retry(blocking())))),
                new Contestant(Group.PIPELINE_LIMITED_FAILING, NAME, () -> guard(four(givingUp(blocking())))),
                new Contestant(Group.PIPELINE_LIMITED_OPEN, NAME, () -> Opened.of(guard(four(givingUp(blocking()))))),
                new Contestant(Group.STAGED_COMPLETE, NAME, () -> staged(retry(staging()))),
                new Contestant(Group.STAGED_PENDING, NAME, () -> staged(retry(staging()))),
                new Contestant(Group.STAGED_FAILING, NAME, () -> staged(givingUp(staging()))),
                new Contestant(Group.STAGED_OPEN, NAME, () -> Opened.staged(staged(givingUp(staging())))));
    }

    private static TypedGuard.Builder<Object> blocking() {
        return TypedGuard.create(Object.class);
    }

    static Guard breaker() {
        return guard(breaker(blocking()));
    }

    private static TypedGuard.Builder<CompletionStage<Object>> staging() {
        return TypedGuard.create(new TypeLiteral<CompletionStage<Object>>() {
            private static final long serialVersionUID = 1;
        });
    }

    private static <T> TypedGuard.Builder<T> breaker(TypedGuard.Builder<T> builder) {
        return breaker(builder, List.of());
    }

    private static <T> TypedGuard.Builder<T> breaker(
            TypedGuard.Builder<T> builder, List<Class<? extends Throwable>> ignored) {
        return builder.withCircuitBreaker()
                .skipOn(ignored)
                .requestVolumeThreshold(Settings.COUNT_WINDOW)
                .failureRatio(Settings.FAILING)
                .delay(Settings.OPEN.toMillis(), ChronoUnit.MILLIS)
                .done();
    }

    private static <T> TypedGuard.Builder<T> retry(TypedGuard.Builder<T> builder) {
        return retry(builder, 1, List.of());
    }

    private static <T> TypedGuard.Builder<T> retryAtOnce(TypedGuard.Builder<T> builder) {
        return retry(builder, 0, List.of());
    }

    /** Repeats calls, but neither those that fail as they do here nor those that are refused. */
    private static <T> TypedGuard.Builder<T> givingUp(TypedGuard.Builder<T> builder) {
        return retry(
                builder, 1, List.of(Work.Failure.class, CircuitBreakerOpenException.class, BulkheadException.class));
    }

    private static <T> TypedGuard.Builder<T> retry(
            TypedGuard.Builder<T> builder, int delayMillis, List<Class<? extends Throwable>> abortOn) {
        return builder.withRetry()
                .maxRetries(Settings.ATTEMPTS - 1)
                .delay(delayMillis, ChronoUnit.MILLIS)
                .jitter(0, ChronoUnit.MILLIS)
                .abortOn(abortOn)
                .done();
    }

    private static <T> TypedGuard.Builder<T> limiter(TypedGuard.Builder<T> builder, int permits) {
        return builder.withRateLimit()
                .limit(permits)
                .window(permits == 1 ? Settings.OPEN.toSeconds() : 1, ChronoUnit.SECONDS)
                .done();
    }

    private static <T> TypedGuard.Builder<T> bulkhead(TypedGuard.Builder<T> builder, int calls) {
        return builder.withBulkhead().limit(calls).done();
    }

    private static TypedGuard.Builder<Object> timeout(TypedGuard.Builder<Object> builder) {
        return builder.withTimeout()
                .duration(Settings.TIMEOUT.toMillis(), ChronoUnit.MILLIS)
                .done();
    }

    private static TypedGuard.Builder<Object> fallback(TypedGuard.Builder<Object> builder) {
        return builder.withFallback().handler(() -> Work.INSTEAD).done();
    }

    private static <T> TypedGuard.Builder<T> three(TypedGuard.Builder<T> retry) {
        return bulkhead(breaker(retry), Settings.CONCURRENT);
    }

    private static <T> TypedGuard.Builder<T> four(TypedGuard.Builder<T> retry) {
        return limiter(three(retry), Settings.PLENTY);
    }

    private static Guard guard(TypedGuard.Builder<Object> builder) {
        return builder.build()::call;
    }

    /** A refusal by the bulkhead must not count as a failure, else the breaker would open. */
    private static Guard full() {
        return guard(bulkhead(breaker(givingUp(blocking()), List.of(BulkheadException.class)), 1));
    }

    private static StagedGuard staged(TypedGuard.Builder<CompletionStage<Object>> retry) {
        return four(retry).build()::get;
    }
}
