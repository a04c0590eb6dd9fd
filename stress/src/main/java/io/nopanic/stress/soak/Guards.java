package io.nopanic.stress.soak;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.budget.Budget;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.hedge.Hedge;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.time.Time;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Policies that are all busy under the load: they trip, wait, time out, hedge and retry. */
final class Guards {

    static final String EXACT = "on the exact clock";
    static final String COARSE = "on the coarse clock";

    private final Bulkhead bulkhead;
    private final RateLimiter limiter;
    private final AdaptiveRateLimiter adaptive;
    private final Timeout abandoning;
    final Pipeline blocking;

    /** At a rate that is far below what the others make. */
    final Pipeline limited;

    final Pipeline elsewhere;
    final Pipeline staged;
    final List<Watched> watched = List.of(new Watched(EXACT, Time.system()), new Watched(COARSE, Time.coarse()));
    private final Map<String, LongAdder> events = new ConcurrentHashMap<>();

    Guards(Time time) {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .time(time)
                .timeWindow(Duration.ofMillis(200))
                .minimumCalls(20)
                .openFor(Duration.ofMillis(20))
                .slowAfter(Duration.ofMillis(50))
                .probes(2)
                .build();
        bulkhead = Bulkhead.builder().time(time).maxConcurrent(10).maxQueued(8).build();
        limiter = RateLimiter.builder()
                .time(time)
                .rate(500, Duration.ofSeconds(1))
                .burst(10)
                .maxWait(Duration.ofMillis(5))
                .build();
        adaptive = AdaptiveRateLimiter.builder()
                .time(time)
                .rate(50_000, Duration.ofSeconds(1))
                .increase(100)
                .maxBlock(Duration.ofMillis(2))
                .maxWait(Duration.ofMillis(5))
                .build();
        Budget budget = Budget.builder().minPerSecond(2_000).time(time).build();
        Retry retry = Retry.builder()
                .time(time)
                .backoff(Backoff.fullJitter(Duration.ofMillis(1), Duration.ofMillis(3)))
                .budget(budget)
                .build();
        Hedge hedge = Hedge.builder()
                .time(time)
                .delay(Duration.ofMillis(2))
                .budget(budget.spendOnly())
                .build();
        Timeout timeout =
                Timeout.builder().time(time).after(Duration.ofMillis(4)).build();
        abandoning = Timeout.builder()
                .time(time)
                .after(Duration.ofMillis(4))
                .abandon()
                .build();
        blocking = Pipeline.of(retry, breaker, bulkhead, timeout);
        CircuitBreaker onEvidence = CircuitBreaker.adaptive()
                .time(time)
                .quadraticProbing(2, Duration.ofMillis(1), Duration.ofMillis(20))
                .slowAfterLearned()
                .build();
        limited = Pipeline.of(retry, onEvidence, limiter, bulkhead, timeout);
        elsewhere = Pipeline.of(hedge, adaptive, bulkhead, abandoning);
        staged = Pipeline.of(retry, hedge, breaker, bulkhead, timeout);
        for (Pipeline pipeline : new Pipeline[] {blocking, limited, elsewhere, staged}) {
            count(pipeline.events());
        }
        staged.policies().forEach(policy -> count(policy.events()));
        onEvidence.events().subscribe(event -> told("on evidence ", event));
        count(limiter.events());
        count(adaptive.events());
        count(abandoning.events());
        for (Watched each : watched) {
            each.timeout.events().subscribe(event -> told(each.clock + " ", event));
        }
    }

    /** What has to be zero when all is still. */
    Map<String, Long> left() {
        Map<String, Long> left = new LinkedHashMap<>();
        left.put("permits of the bulkhead in use", (long) bulkhead.inUse());
        left.put("calls waiting for the bulkhead", (long) bulkhead.queued());
        left.put("calls waiting for the limiter", (long) limiter.queued());
        left.put("calls waiting for the adaptive limiter", (long) adaptive.queued());
        left.put("threads stuck", (long) abandoning.stuck());
        watched.forEach(each -> each.addLeft(left));
        return left;
    }

    private void count(Events source) {
        source.subscribe(event -> told("", event));
    }

    private void told(String prefix, Event event) {
        String kind = event.getClass().getSimpleName();
        if (event instanceof Event.BreakerStateChanged changed) {
            kind = "to " + changed.to();
        }
        events.computeIfAbsent(prefix + kind, key -> new LongAdder()).increment();
    }

    /** How often an event of this kind was told. */
    long told(String kind) {
        LongAdder count = events.get(kind);
        return count == null ? 0 : count.sum();
    }
}
