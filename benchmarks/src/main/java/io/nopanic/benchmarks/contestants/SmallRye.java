package io.nopanic.benchmarks.contestants;

import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** SmallRye Fault Tolerance, standalone, through its typed guards. */
final class SmallRye {

    private static final String NAME = "SmallRye";

    private SmallRye() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, NAME + ", count window", () -> guard(breaker(blocking()))),
                new Contestant(Group.BREAKER_FAILING, NAME + ", count window", () -> guard(breaker(blocking()))),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(guard(breaker(blocking())))),
                new Contestant(Group.RETRY, NAME, () -> guard(retry(blocking()))),
                new Contestant(Group.LIMITER, NAME, () -> guard(limiter(blocking(), Settings.PLENTY))),
                new Contestant(Group.LIMITER_EMPTY, NAME + ", exception", SmallRye::empty),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(bulkhead(blocking(), Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, NAME, SmallRye::full),
                new Contestant(Group.TIMEOUT, NAME, () -> guard(timeout(blocking()))),
                new Contestant(Group.FALLBACK, NAME, () -> guard(fallback(blocking()))),
                new Contestant(Group.PIPELINE, NAME, () -> guard(three(blocking()))),
                new Contestant(Group.PIPELINE_LIMITED, NAME, () -> guard(four(blocking()))),
                new Contestant(Group.STAGED_COMPLETE, NAME, SmallRye::staged),
                new Contestant(Group.STAGED_PENDING, NAME, SmallRye::staged));
    }

    private static TypedGuard.Builder<Object> blocking() {
        return TypedGuard.create(Object.class);
    }

    private static <T> TypedGuard.Builder<T> breaker(TypedGuard.Builder<T> builder) {
        return builder.withCircuitBreaker()
                .requestVolumeThreshold(Settings.COUNT_WINDOW)
                .failureRatio(Settings.FAILING)
                .delay(Settings.OPEN.toMillis(), ChronoUnit.MILLIS)
                .done();
    }

    private static <T> TypedGuard.Builder<T> retry(TypedGuard.Builder<T> builder) {
        return builder.withRetry()
                .maxRetries(Settings.ATTEMPTS - 1)
                .delay(1, ChronoUnit.MILLIS)
                .jitter(0, ChronoUnit.MILLIS)
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
        return builder.withFallback().handler(() -> "instead").done();
    }

    private static <T> TypedGuard.Builder<T> three(TypedGuard.Builder<T> builder) {
        return bulkhead(breaker(retry(builder)), Settings.CONCURRENT);
    }

    private static <T> TypedGuard.Builder<T> four(TypedGuard.Builder<T> builder) {
        return limiter(three(builder), Settings.PLENTY);
    }

    private static Guard guard(TypedGuard.Builder<Object> builder) {
        return builder.build()::call;
    }

    private static StagedGuard staged() {
        return four(TypedGuard.create(new TypeLiteral<CompletionStage<Object>>() {
                    private static final long serialVersionUID = 1;
                }))
                .build()::get;
    }

    private static Guard empty() {
        Guard guard = guard(limiter(blocking(), 1));
        try {
            guard.call(() -> Work.ANSWER);
        } catch (Exception e) {
            throw new IllegalStateException("a new limiter has no permit", e);
        }
        return guard;
    }

    /** There is no way to take a permit but to make a call, so one call stays inside for good. */
    private static Guard full() {
        Guard guard = guard(bulkhead(blocking(), 1));
        CountDownLatch inside = new CountDownLatch(1);
        Threads.daemon(() -> {
                    try {
                        guard.call(() -> {
                            inside.countDown();
                            new CountDownLatch(1).await();
                            return Work.ANSWER;
                        });
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start();
        try {
            inside.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return guard;
    }
}
