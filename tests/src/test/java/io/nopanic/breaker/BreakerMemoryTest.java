package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

class BreakerMemoryTest {

    static {
        // Lets JOL see into records and lambdas.
        System.setProperty("jol.magicFieldOffset", "true");
    }

    private static final int MANY = 10_000_000;

    /** The breaker shows its last failure, so what that holds counts; this one holds no stack trace. */
    private static final class Failure extends RuntimeException {
        Failure() {
            super("down", null, false, false);
        }
    }

    private static final Failure FAILURE = new Failure();

    private final VirtualTime virtual = VirtualTime.create();

    /** A time that reaches nothing else, so that only the breaker is measured. */
    private static Time time(long[] nowNanos) {
        return Time.of(
                () -> nowNanos[0], (delayNanos, action) -> () -> false, (blocker, nanos) -> {}, InstantSource.system());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time window",
                "time window with slow calls",
                "count window",
                "consecutive failures",
                "evidence",
                "evidence with slow calls"
            })
    void whatABreakerHoldsDoesNotDependOnTraffic(String kind) throws Exception {
        long[] nowNanos = {virtual.nanos()};
        CircuitBreakerBuilder builder =
                CircuitBreaker.builder().time(time(nowNanos)).failureRate(0.9).minimumCalls(100);
        CircuitBreaker breaker = switch (kind) {
            case "time window" -> builder.build();
            case "time window with slow calls" ->
                builder.slowAfter(Duration.ofSeconds(1)).build();
            case "count window" -> builder.countWindow(100).build();
            case "evidence" -> onEvidence(nowNanos).build();
            case "evidence with slow calls" ->
                onEvidence(nowNanos).slowAfter(Duration.ofSeconds(1)).build();
            default ->
                CircuitBreaker.builder()
                        .time(time(nowNanos))
                        .consecutiveFailures(100)
                        .build();
        };
        Pipeline pipeline = Pipeline.of(breaker);
        call(pipeline, 10, nowNanos);
        // The window fills with buckets as time passes; its size is that of a full one.
        for (int i = 0; i < 20; i++) {
            nowNanos[0] += Duration.ofSeconds(3).toNanos();
            call(pipeline, 10, nowNanos);
        }
        long few = GraphLayout.parseInstance(breaker).totalSize();
        int calls = kind.equals("time window") ? MANY : MANY / 10;
        call(pipeline, calls, nowNanos);
        long many = GraphLayout.parseInstance(breaker).totalSize();
        System.out.printf(
                "memory: a breaker with %-28s holds %,6d bytes after 210 calls, %,6d after %,d%n",
                kind, few, many, calls);
        assertThat(many).isEqualTo(few);
        assertThat(many).isLessThanOrEqualTo(most(kind));
    }

    private static long most(String kind) {
        int window = kind.startsWith("time window") ? 16 * 1024 : 4 * 1024;
        return kind.endsWith("slow calls") ? window + 4 * 1024 : window;
    }

    /** A third of the calls fail, so a failure that costs one success is not enough, but there is evidence most of the time. */
    private static CircuitBreakerBuilder onEvidence(long[] nowNanos) {
        return CircuitBreaker.adaptive().time(time(nowNanos)).evidenceThreshold(1000);
    }

    /** A third of the calls fail; ten million of them take a minute of the breaker's time. */
    private static void call(Pipeline pipeline, int calls, long[] nowNanos) throws Exception {
        Callable<Object> good = () -> "value";
        Callable<Object> bad = () -> {
            throw FAILURE;
        };
        for (int i = 0; i < calls; i++) {
            nowNanos[0] += 6_000;
            try {
                pipeline.call(i % 3 == 0 ? bad : good);
            } catch (Failure expected) {
                // what it is for
            }
        }
    }
}
