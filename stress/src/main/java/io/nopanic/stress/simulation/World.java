package io.nopanic.stress.simulation;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.budget.Budget;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.Event;
import io.nopanic.fallback.Fallback;
import io.nopanic.hedge.Hedge;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.Rate;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.spi.Policy;
import io.nopanic.stress.script.Tally;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Policies drawn at random, in pipelines that share some of them: one for staged calls, one for blocking ones, one for calls by hand. Right
 * inside of each shared policy stands a {@link Gate}. Much of the users' code in them throws now and then.
 */
final class World {

    private static final long MILLI = 1_000_000;
    private static final double RATIO = 0.5;
    private static final Duration BUDGET_WINDOW = Duration.ofSeconds(2);

    final Clockwork clock = new Clockwork();
    final Dependency dependency;
    final History history;
    final CircuitBreaker breaker;
    final int probes;
    final Bulkhead bulkhead;
    final RateLimiter limiter;
    final AdaptiveRateLimiter adaptive;
    final Gate insideBreaker;
    final Gate insideBulkhead;
    final Gate outside = new Gate("outside", permit -> {});
    final Gate insideLimiter;
    final Pipeline staged;
    final Pipeline blocking;
    final Pipeline byHand;
    private final SplittableRandom random;
    private final Budget budget;
    private final Grants grants;
    private final Spending spending;

    /** Whether a call can come out of the limiter later than it was let in. */
    private boolean isLate;

    /** Tasks on their way through an executor: calls that may have been let in and do not know it yet. */
    int handedOver;

    /** Fallbacks that are being computed. */
    int computing;

    World(long seed, Tally tally, LongConsumer onBreakerEntry) {
        random = new SplittableRandom(seed);
        history = new History(tally);
        dependency = new Dependency(clock, random.split(), tally);
        insideBreaker = new Gate("inside the breaker", onBreakerEntry);
        insideBulkhead = new Gate("inside the bulkhead", permit -> {});
        int minPerSecond = random.nextInt(1, 20);
        budget = Budget.builder()
                .ratio(RATIO)
                .minPerSecond(minPerSecond)
                .window(BUDGET_WINDOW)
                .time(clock.time)
                .build();
        spending = new Spending(clock, RATIO, minPerSecond, BUDGET_WINDOW.toNanos());
        probes = random.nextInt(1, 4);
        breaker = breaker();
        bulkhead = bulkhead();
        limiter = limiter();
        grants = new Grants(clock, limiter.isStrict(), limiter.rate());
        insideLimiter = new Gate("inside the limiter", permit -> {
            if (!isLate) {
                history.check(grants::add);
            }
        });
        adaptive = adaptive();
        staged = pipeline("staged", true);
        blocking = pipeline("blocking", false);
        byHand = Pipeline.builder()
                .name("by hand")
                .with(breaker)
                .with(insideBreaker)
                .with(bulkhead)
                .with(insideBulkhead)
                .build();
        for (Pipeline pipeline : List.of(staged, blocking, byHand)) {
            pipeline.events().subscribe(this::told);
        }
        staged.policies().forEach(policy -> policy.events().subscribe(this::told));
        blocking.policies().stream()
                .filter(policy -> !staged.policies().contains(policy))
                .forEach(policy -> policy.events().subscribe(this::told));
        for (Policy policy : List.of(breaker, bulkhead)) {
            if (!staged.policies().contains(policy) && !blocking.policies().contains(policy)) {
                policy.events().subscribe(this::told);
            }
        }
    }

    /** Every listener sees all; then it throws, or looks at what it listens to, now and then. */
    private void told(Event event) {
        history.told(event);
        history.check(() -> spending.told(event));
        int dice = random.nextInt(20);
        if (dice == 0) {
            throw new IllegalStateException("a listener that throws");
        }
        if (dice == 1) {
            breaker.state();
            bulkhead.available();
            limiter.availablePermits();
        }
    }

    // ---------------- policies

    private boolean nowAndThen(int of, Object subject) {
        if (random.nextInt(of) == 0) {
            throw new IllegalStateException("a rule that throws when it sees " + subject);
        }
        return false;
    }

    private Duration millis(int from, int to) {
        return Duration.ofNanos(random.nextLong(from * MILLI, to * MILLI));
    }

    private CircuitBreaker breaker() {
        CircuitBreakerBuilder builder = CircuitBreaker.builder()
                .name("breaker")
                .time(clock.time)
                .random(random.split())
                .openJitter(random.nextInt(3) / 4.0)
                .probeTimeout(millis(50, 400))
                .ignore(IllegalArgumentException.class)
                .failOnResult(String.class, result -> result.equals("bad") || nowAndThen(50, result));
        if (random.nextBoolean()) {
            builder.openFor(millis(20, 300))
                    .openGrowth(2, Duration.ofSeconds(2))
                    .probes(probes);
        } else {
            builder.quadraticProbing(random.nextInt(1, 5), millis(0, 20), millis(20, 500))
                    .closeAfter(probes);
        }
        return switch (random.nextInt(7)) {
            case 0 -> builder.consecutiveFailures(random.nextInt(1, 6)).build();
            case 1 -> builder.countWindow(random.nextInt(5, 30)).build();
            case 2 ->
                builder.timeWindow(millis(100, 2000), random.nextInt(1, 12)).build();
            case 3 -> onEvidence(builder).build();
            case 4 -> onEvidence(builder).slowAfter(millis(10, 250)).build();
            case 5 -> onEvidence(builder).slowAfterLearned(millis(200, 1000)).build();
            default ->
                builder.timeWindow(millis(100, 2000))
                        .slowAfter(millis(10, 250))
                        .slowCallRate(0.7)
                        .failedOrSlowRate(0.8)
                        .build();
        };
    }

    private CircuitBreakerBuilder onEvidence(CircuitBreakerBuilder builder) {
        builder.failureCost(random.nextInt(1, 31) / 10.0);
        return random.nextBoolean() ? builder : builder.expectedRate(random.nextInt(1, 100));
    }

    private Bulkhead bulkhead() {
        Bulkhead.Builder builder = Bulkhead.builder()
                .name("bulkhead")
                .time(clock.time)
                .maxConcurrent(random.nextInt(1, 6))
                .maxQueued(random.nextInt(0, 6));
        return builder.build();
    }

    private RateLimiter limiter() {
        int permits = random.nextInt(2, 30);
        RateLimiter.Builder builder = RateLimiter.builder()
                .name("limiter")
                .time(clock.time)
                .rate(permits, millis(50, 500))
                .maxQueued(random.nextInt(1, 20));
        if (random.nextBoolean()) {
            builder.maxWait(millis(1, 500));
        } else if (random.nextBoolean()) {
            builder.unlimitedWait();
        }
        return switch (random.nextInt(3)) {
            case 0 -> builder.strict().build();
            case 1 -> builder.leased(random.nextInt(2, 9)).build();
            default -> builder.build();
        };
    }

    /** So many calls per period from now on, and at once. */
    void changeRate(int permits, Duration period) {
        grants.change(new Rate(permits, period, permits));
        limiter.setRate(permits, period);
    }

    private AdaptiveRateLimiter adaptive() {
        return AdaptiveRateLimiter.builder()
                .name("adaptive")
                .time(clock.time)
                .rate(random.nextInt(5, 50), Duration.ofMillis(100))
                .maxBlock(millis(10, 500))
                .window(millis(10, 100))
                .maxWait(millis(1, 400))
                .throttleIf(error -> nowAndThen(40, error))
                .build();
    }

    private Retry retry(String name) {
        Retry.Builder builder = Retry.builder()
                .name(name)
                .time(clock.time)
                .random(random.split())
                .attempts(random.nextInt(1, 6))
                .backoff(
                        random.nextInt(6) == 0
                                ? Backoff.of((attempt, result, error) ->
                                        nowAndThen(10, attempt) ? null : Duration.ofMillis(attempt))
                                : Backoff.fullJitter(Duration.ofMillis(5), Duration.ofMillis(300)))
                .giveUpIf(error -> nowAndThen(40, error))
                .retryOnResult(String.class, "bad"::equals)
                .budget(budget);
        if (random.nextInt(3) == 0) {
            builder.maxDuration(millis(50, 1000));
        }
        return builder.build();
    }

    private Hedge hedge() {
        Hedge.Builder builder = Hedge.builder()
                .name("hedge")
                .time(clock.time)
                .delay(millis(0, 60))
                .maxHedges(random.nextInt(1, 4))
                .budget(budget.spendOnly());
        return random.nextBoolean() ? builder.quantile(0.9).warmUp(20).build() : builder.build();
    }

    private Fallback<Object> fallback(String name) {
        Fallback.Builder<Object> builder = Fallback.<Object>builder().name(name).time(clock.time);
        return switch (random.nextInt(4)) {
            case 0 -> builder.value("instead").build();
            case 1 ->
                builder.compute(error -> nowAndThen(5, error) ? "" : "instead").build();
            case 2 -> builder.computeAsync(error -> late("instead")).build();
            default -> builder.lastGood(Duration.ofSeconds(1)).build();
        };
    }

    private CompletableFuture<Object> late(String value) {
        CompletableFuture<Object> later = new CompletableFuture<>();
        computing++;
        var unused = clock.time.schedule(random.nextLong(20 * MILLI), () -> {
            computing--;
            later.complete(value);
        });
        return later;
    }

    private Timeout timeout(String name, int from, int to) {
        return Timeout.builder()
                .name(name)
                .time(clock.time)
                .after(millis(from, to))
                .build();
    }

    // ---------------- pipelines

    private @Nullable Policy maybe(int ofTen, Policy policy) {
        return random.nextInt(10) < ofTen ? policy : null;
    }

    private Pipeline pipeline(String name, boolean isStaged) {
        List<List<Policy>> parts = new ArrayList<>();
        part(parts, outside);
        part(parts, maybe(3, fallback(name + " fallback")));
        part(parts, maybe(5, timeout(name + " timeout", 100, 2000)));
        part(parts, maybe(7, retry(name + " retry")), permit -> spending.call());
        part(parts, isStaged ? maybe(4, hedge()) : null);
        part(parts, maybe(8, breaker), insideBreaker);
        part(parts, maybe(4, limiter), insideLimiter);
        part(parts, maybe(3, adaptive));
        part(parts, maybe(8, bulkhead), insideBulkhead);
        part(parts, maybe(6, timeout(name + " attempt timeout", 5, 250)));
        if (random.nextInt(4) == 0) {
            for (int i = parts.size() - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                parts.set(i, parts.set(other, parts.get(i)));
            }
        }
        Pipeline.Builder builder = Pipeline.builder().name(name).time(clock.time);
        parts.forEach(part -> part.forEach(builder::with));
        if (isStaged && random.nextInt(3) == 0) {
            isLate = true;
            // Goes on a little later than it could, as a busy pool does.
            builder.executor(task -> {
                handedOver++;
                var unused = clock.time.schedule(random.nextLong(3 * MILLI), () -> {
                    handedOver--;
                    task.run();
                });
            });
        }
        return builder.build();
    }

    private static void part(List<List<Policy>> parts, @Nullable Policy first, Policy... more) {
        if (first != null) {
            List<Policy> part = new ArrayList<>(List.of(first));
            part.addAll(List.of(more));
            parts.add(part);
        }
    }

    /** A policy of which is told how often it is asked. */
    private static void part(List<List<Policy>> parts, @Nullable Policy policy, LongConsumer onEntry) {
        if (policy != null) {
            parts.add(List.of(new Gate("outside of " + policy.name(), onEntry), policy));
        }
    }

    @Override
    public String toString() {
        return staged.describe()
                + System.lineSeparator()
                + blocking.describe()
                + System.lineSeparator()
                + byHand.describe();
    }
}
