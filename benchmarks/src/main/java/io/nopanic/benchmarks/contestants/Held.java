package io.nopanic.benchmarks.contestants;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A breaker whose memory is measured. Not among them is that of Hystrix: it counts by streams that reach the threads of their schedulers, so that
 * what is found by walking is another thing each time. Where its clock can be replaced, its calls are spread over the whole window, so that every part of the
 * window is in use.
 */
public final class Held {

    private static final int MILLION = 1_000_000;

    private final Object breaker;
    private final Guard guard;
    private final LongConsumer clock;

    private Held(Object breaker, Guard guard, LongConsumer clock) {
        this.breaker = breaker;
        this.guard = guard;
        this.clock = clock;
    }

    /** A new breaker of each kind. */
    public static Map<String, Supplier<Held>> kinds() {
        Map<String, Supplier<Held>> kinds = new LinkedHashMap<>();
        kinds.put("nopanic, time window", Held::nopanic);
        kinds.put("nopanic, count window", () -> nopanic(Nopanic.countWindow(Settings.COUNT_WINDOW)));
        kinds.put("nopanic, count window of a million", () -> nopanic(Nopanic.countWindow(MILLION)));
        kinds.put("nopanic, evidence", () -> nopanic(Nopanic.evidence(Clocks.exact())));
        kinds.put("Resilience4j, time window", () -> resilience4j(false));
        kinds.put("Resilience4j, time window, lock-free", () -> resilience4j(true));
        kinds.put("Resilience4j, count window", () -> resilience4j(Settings.COUNT_WINDOW));
        kinds.put("Resilience4j, count window of a million", () -> resilience4j(MILLION));
        kinds.put("Failsafe, time window", () -> {
            var breaker = FailsafePeer.timeWindow();
            return new Held(breaker, FailsafePeer.guard(breaker), nanos -> {});
        });
        kinds.put("Failsafe, count window", () -> {
            var breaker = FailsafePeer.countWindow();
            return new Held(breaker, FailsafePeer.guard(breaker), nanos -> {});
        });
        kinds.put("SmallRye, count window", () -> {
            Guard guard = SmallRye.breaker();
            return new Held(guard, guard, nanos -> {});
        });
        kinds.put("Sentinel", Held::sentinel);
        return kinds;
    }

    private static Held resilience4j(int window) {
        var breaker = Resilience4j.countWindow(window, false);
        return new Held(breaker, Resilience4j.guard(breaker), nanos -> {});
    }

    private static Held sentinel() {
        String resource = SentinelPeer.withBreaker();
        return new Held(SentinelPeer.state(resource), SentinelPeer.guard(resource), nanos -> {});
    }

    private static Held nopanic() {
        long[] nowNanos = new long[1];
        var breaker = Nopanic.timeWindow(Time.system().withTicker(() -> nowNanos[0]));
        return new Held(breaker, Pipeline.of(breaker)::call, nanos -> nowNanos[0] = nanos);
    }

    private static Held nopanic(io.nopanic.breaker.CircuitBreaker breaker) {
        return new Held(breaker, Pipeline.of(breaker)::call, nanos -> {});
    }

    private static Held resilience4j(boolean lockFree) {
        long[] nowNanos = new long[1];
        var breaker = io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                "held",
                Resilience4j.timeWindowConfig(lockFree)
                        .clock(new NanosClock(() -> nowNanos[0]))
                        .build());
        return new Held(breaker, Resilience4j.guard(breaker), nanos -> nowNanos[0] = nanos);
    }

    /** The breaker. */
    public Object breaker() {
        return breaker;
    }

    /** Makes so many calls, spread over the window; a third of them fails. */
    public void call(int calls) throws Exception {
        Callable<Object> body = new Work.ThirdFailing(false);
        long stepNanos = Settings.WINDOW.toNanos() / calls;
        for (int i = 0; i < calls; i++) {
            clock.accept(i * stepNanos);
            try {
                Object answer = guard.call(body);
                if (answer != Work.ANSWER) {
                    throw new IllegalStateException("a call returned " + answer);
                }
            } catch (Work.Failure failure) {
                // as every third one does
            }
        }
    }
}
