package io.nopanic.benchmarks.contestants;

import com.google.common.util.concurrent.RateLimiter;
import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.functions.Log10RootIntFunction;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.retry.support.RetryTemplateBuilder;

/** Libraries that do one thing. */
final class OtherPeers {

    private static final String GUAVA = "Guava";
    private static final String BUCKET4J = "Bucket4j";
    private static final String NETFLIX_FIXED = "concurrency-limits, fixed";
    private static final String NETFLIX_AIMD = "concurrency-limits, AIMD";
    private static final String NETFLIX_VEGAS = "concurrency-limits, Vegas";

    private OtherPeers() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.RETRY, "Spring core", OtherPeers::springCore),
                new Contestant(Group.RETRY, "spring-retry", OtherPeers::springRetry),
                new Contestant(Group.RETRY_FAILING, "Spring core", OtherPeers::springCoreAtOnce),
                new Contestant(Group.RETRY_FAILING, "spring-retry", OtherPeers::springRetryAtOnce),
                new Contestant(Group.LIMITER, GUAVA, () -> guard(RateLimiter.create(Settings.PLENTY))),
                new Contestant(Group.LIMITER_FAILING, GUAVA, () -> guard(RateLimiter.create(Settings.PLENTY))),
                new Contestant(
                        Group.LIMITER_FAILING, BUCKET4J, () -> guard(bucket(Settings.PLENTY, Duration.ofSeconds(1)))),
                new Contestant(Group.LIMITER_EMPTY, GUAVA, OtherPeers::emptyGuava),
                new Contestant(Group.LIMITER, BUCKET4J, () -> guard(bucket(Settings.PLENTY, Duration.ofSeconds(1)))),
                new Contestant(Group.LIMITER, BUCKET4J + ", coarse clock", () -> guard(coarseBucket())),
                new Contestant(Group.LIMITER_EMPTY, BUCKET4J, OtherPeers::emptyBucket),
                new Contestant(Group.BULKHEAD, NETFLIX_VEGAS, () -> guard(vegas())),
                new Contestant(Group.BULKHEAD, NETFLIX_FIXED, () -> guard(limiter(FixedLimit.of(Settings.CONCURRENT)))),
                new Contestant(
                        Group.BULKHEAD_FAILING,
                        NETFLIX_FIXED,
                        () -> guard(limiter(FixedLimit.of(Settings.CONCURRENT)))),
                new Contestant(Group.BULKHEAD_FULL, NETFLIX_FIXED, () -> guard(fullLimiter())),
                new Contestant(Group.LIMITER_ADAPTIVE, NETFLIX_AIMD, () -> adapting(aimd())),
                new Contestant(Group.LIMITER_ADAPTIVE, NETFLIX_VEGAS, () -> adapting(vegas())),
                new Contestant(Group.LIMITER_ADAPTIVE, "concurrency-limits, Gradient2", () -> adapting(gradient())),
                new Contestant(Group.LIMITER_ADAPTIVE_FAILING, NETFLIX_AIMD, () -> adapting(aimd())),
                new Contestant(Group.LIMITER_ADAPTIVE_FAILING, NETFLIX_VEGAS, () -> adapting(vegas())),
                new Contestant(Group.LIMITER_ADAPTIVE_EMPTY, NETFLIX_AIMD, () -> adapting(fullAimd())));
    }

    private static Guard springCore() {
        RetryTemplate template = new RetryTemplate(RetryPolicy.builder()
                .maxRetries(Settings.ATTEMPTS - 1)
                .delay(Duration.ofMillis(1))
                .build());
        return body -> template.execute(body::call);
    }

    private static Guard springRetry() {
        var template = new RetryTemplateBuilder()
                .maxAttempts(Settings.ATTEMPTS)
                .fixedBackoff(1)
                .build();
        return body -> template.execute(context -> body.call());
    }

    private static Guard springCoreAtOnce() {
        RetryTemplate template = new RetryTemplate(RetryPolicy.builder()
                .maxRetries(Settings.ATTEMPTS - 1)
                .delay(Duration.ZERO)
                .build());
        return body -> template.execute(body::call);
    }

    private static Guard springRetryAtOnce() {
        var template = new RetryTemplateBuilder()
                .maxAttempts(Settings.ATTEMPTS)
                .noBackoff()
                .build();
        return body -> template.execute(context -> body.call());
    }

    private static Guard guard(RateLimiter limiter) {
        return body -> limiter.tryAcquire() ? body.call() : Refusals.note();
    }

    private static Guard emptyGuava() {
        RateLimiter limiter = RateLimiter.create(1.0 / Settings.OPEN.toSeconds());
        if (!limiter.tryAcquire()) {
            throw new IllegalStateException("a new limiter has no permit");
        }
        return guard(limiter);
    }

    private static Bucket bucket(long permits, Duration period) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
                .build();
    }

    private static Bucket coarseBucket() {
        Time time = Clocks.coarse();
        TimeMeter meter = new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return time.nanos();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        };
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(Settings.PLENTY).refillGreedy(Settings.PLENTY, Duration.ofSeconds(1)))
                .withCustomTimePrecision(meter)
                .build();
    }

    private static Guard emptyBucket() {
        Bucket bucket = bucket(1, Settings.OPEN);
        if (!bucket.tryConsume(1)) {
            throw new IllegalStateException("a new bucket has no token");
        }
        return guard(bucket);
    }

    private static Guard guard(Bucket bucket) {
        return body -> bucket.tryConsume(1) ? body.call() : Refusals.note();
    }

    /** It decreases as it does by itself, by the logarithm, but never below what there is room for in the other bulkheads. */
    private static Limiter<Void> vegas() {
        IntUnaryOperator logarithm = Log10RootIntFunction.create(0);
        return limiter(VegasLimit.newBuilder()
                .initialLimit(Settings.CONCURRENT)
                .decreaseFunction(limit -> Math.max(Settings.CONCURRENT, limit - logarithm.applyAsInt((int) limit)))
                .build());
    }

    private static Limiter<Void> aimd() {
        return limiter(AIMDLimit.newBuilder()
                .initialLimit(Settings.CONCURRENT)
                .minLimit(Settings.CONCURRENT)
                .timeout(Settings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .build());
    }

    private static Limiter<Void> fullAimd() {
        return filled(limiter(
                AIMDLimit.newBuilder().initialLimit(1).minLimit(1).maxLimit(1).build()));
    }

    /** It has to shrink by itself, but never below that either. */
    private static Limiter<Void> gradient() {
        return limiter(Gradient2Limit.newBuilder()
                .initialLimit(Settings.CONCURRENT)
                .minLimit(Settings.CONCURRENT)
                .build());
    }

    private static Limiter<Void> fullLimiter() {
        return filled(limiter(FixedLimit.of(1)));
    }

    @SuppressWarnings("NullAway") // their context may be null
    private static Limiter<Void> filled(Limiter<Void> limiter) {
        if (limiter.acquire(null).isEmpty()) {
            throw new IllegalStateException("a new limiter is full");
        }
        return limiter;
    }

    private static Limiter<Void> limiter(Limit limit) {
        return SimpleLimiter.newBuilder().limit(limit).build();
    }

    /** With a limit that stays as it is, or that failures tell nothing. */
    private static Guard guard(Limiter<Void> limiter) {
        return guard(limiter, Limiter.Listener::onIgnore);
    }

    /** With a limit that failures lower. */
    private static Guard adapting(Limiter<Void> limiter) {
        return guard(limiter, Limiter.Listener::onDropped);
    }

    @SuppressWarnings("NullAway") // their context may be null
    private static Guard guard(Limiter<Void> limiter, Consumer<Limiter.Listener> onFailure) {
        return body -> {
            Optional<Limiter.Listener> entry = limiter.acquire(null);
            if (entry.isEmpty()) {
                return Refusals.note();
            }
            Object answer;
            try {
                answer = body.call();
            } catch (Exception e) {
                onFailure.accept(entry.get());
                throw e;
            }
            entry.get().onSuccess();
            return answer;
        };
    }
}
