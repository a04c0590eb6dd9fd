package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to probes: every place comes back, however a probe ends. */
class ProbingTest {

    private static final Duration OPEN = Duration.ofSeconds(10);

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder(int probes) {
        return CircuitBreaker.builder()
                .time(time.time())
                .consecutiveFailures(1)
                .openFor(OPEN)
                .probes(probes)
                .ignore(IllegalArgumentException.class);
    }

    private CircuitBreaker halfOpen(int probes) throws Exception {
        CircuitBreaker breaker = builder(probes).build();
        Pipeline.of(breaker).admit().failed(new IOException());
        time.advance(OPEN);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        return breaker;
    }

    static Stream<Arguments> modesAndProbes() {
        return Arrays.stream(Mode.values())
                .flatMap(mode -> Stream.of(1, 2, 3).map(probes -> Arguments.of(mode, probes)));
    }

    @ParameterizedTest
    @MethodSource("modesAndProbes")
    void anIgnoredProbeGivesItsPlaceBackUnjudged(Mode mode, int probes) throws Exception {
        CircuitBreaker breaker = halfOpen(probes);
        ScriptedDependency dependency = ScriptedDependency.on(time);
        if (probes > 1) {
            dependency.succeed(probes - 1, "ok");
        }
        dependency
                .fail(3, () -> new IllegalArgumentException("caller's fault"))
                .thenSucceed("ok");
        Guarded service = mode.guard(Pipeline.of(breaker), time, dependency);
        service.call(probes - 1);
        for (int i = 0; i < 3; i++) {
            assertThat(service.call().error()).isInstanceOf(IllegalArgumentException.class);
            assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
            assertThat(breaker.snapshot().counts().calls()).isEqualTo(probes - 1);
        }
        assertThat(service.call().value()).isEqualTo("ok");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anErrorSettlesTheProbeAndComesOutAsItIs(Mode mode) throws Exception {
        for (Throwable error : List.of(new StackOverflowError(), new AssertionError(), new OutOfMemoryError())) {
            CircuitBreaker breaker = halfOpen(1);
            Guarded service = mode.guard(
                    Pipeline.of(breaker), time, ScriptedDependency.on(time).fail(1, () -> error).thenSucceed("ok"));
            assertThat(service.call().error()).isSameAs(error);
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
            assertThat(service.callAfter(OPEN).value()).isEqualTo("ok");
            assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        }
    }

    @Test
    void anErrorSettlesTheProbeInEveryDecorator() throws Exception {
        StackOverflowError error = new StackOverflowError();
        List<java.util.function.Consumer<Pipeline>> shapes = List.of(
                pipeline -> pipeline.decorateRunnable(() -> {
                            throw error;
                        })
                        .run(),
                pipeline -> pipeline.decorateSupplier(() -> {
                            throw error;
                        })
                        .get(),
                pipeline -> pipeline.decorateFunction(argument -> {
                            throw error;
                        })
                        .apply(1),
                pipeline -> pipeline.decorateConsumer(argument -> {
                            throw error;
                        })
                        .accept(1));
        for (var shape : shapes) {
            CircuitBreaker breaker = halfOpen(1);
            assertThatThrownBy(() -> shape.accept(Pipeline.of(breaker))).isSameAs(error);
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        }
    }

    @Test
    void aCancelledProbeGivesItsPlaceBack() throws Exception {
        CircuitBreaker breaker = halfOpen(1);
        Pipeline pipeline = Pipeline.of(breaker);
        CompletableFuture<String> probe = pipeline.callAsync(CompletableFuture::new);
        CompletableFuture<Void> zipped = CompletableFuture.allOf(probe);
        assertThat(probe.cancel(true)).isTrue();
        assertThat(zipped).isCompletedExceptionally();
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        assertThat(pipeline.<String>call(() -> "next")).isEqualTo("next");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void cancellingAProbeThatHasSucceededChangesNothing() throws Exception {
        CircuitBreaker breaker = halfOpen(1);
        CompletableFuture<String> probe = Pipeline.of(breaker).callAsync(() -> CompletableFuture.completedFuture("v"));
        assertThat(probe.cancel(true)).isFalse();
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aProbeThatAnInnerPolicyRefusesGivesItsPlaceBack(Mode mode) throws Exception {
        CircuitBreaker breaker = halfOpen(1);
        Bulkhead bulkhead = Bulkhead.of(1);
        Permit busy = Pipeline.of(bulkhead).admit();
        Guarded service = mode.guard(
                Pipeline.of(breaker, bulkhead), time, ScriptedDependency.on(time).thenSucceed("ok"));
        assertThat(service.call().error()).isInstanceOf(BulkheadFullException.class);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        busy.succeeded(null);
        assertThat(service.callAfter(Duration.ofSeconds(1)).value()).isEqualTo("ok");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void ofAHundredCallersExactlyTheProbesPass() throws Exception {
        for (int round = 0; round < 20; round++) {
            CircuitBreaker breaker = builder(3).build();
            Pipeline pipeline = Pipeline.of(breaker);
            pipeline.admit().failed(new IOException());
            time.advance(OPEN);
            AtomicInteger refused = new AtomicInteger();
            List<Permit> passed = new ArrayList<>();
            inParallel(100, () -> {
                try {
                    Permit permit = pipeline.admit();
                    synchronized (passed) {
                        passed.add(permit);
                    }
                } catch (CircuitOpenException e) {
                    refused.incrementAndGet();
                }
            });
            assertThat(passed).hasSize(3);
            assertThat(refused).hasValue(97);
            passed.subList(0, 2).forEach(probe -> probe.succeeded(1));
            assertThatThrownBy(pipeline::admit).isInstanceOf(CircuitOpenException.class);
            passed.get(2).succeeded(1);
            assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void theVerdictComesAfterTheLastProbeHoweverSlowlyTheyCome(int probes) throws Exception {
        CircuitBreaker breaker =
                builder(probes).timeWindow(Duration.ofSeconds(1)).minimumCalls(1).build();
        Pipeline pipeline = Pipeline.of(breaker);
        pipeline.admit().failed(new IOException());
        time.advance(OPEN);
        for (int i = 0; i < probes; i++) {
            assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
            time.advance(Duration.ofSeconds(2));
            pipeline.call(() -> "ok");
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void aLateSuccessIsNotTakenForTheProbe() throws Exception {
        CircuitBreaker breaker = builder(1).consecutiveFailures(2).build();
        Pipeline pipeline = Pipeline.of(breaker);
        List<CompletableFuture<String>> old = List.of(
                new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
        old.forEach(source -> pipeline.callAsync(() -> source));
        old.get(0).completeExceptionally(new IOException());
        old.get(1).completeExceptionally(new IOException());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        time.advance(OPEN);
        CompletableFuture<String> probe = new CompletableFuture<>();
        pipeline.callAsync(() -> probe);
        old.get(2).complete("late");
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        assertThat(breaker.snapshot().lateOutcomes()).isEqualTo(1);
        probe.completeExceptionally(new IOException());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    /** What a thread does; it may throw. */
    interface Task {
        void run() throws Exception;
    }

    static void inParallel(int threads, Task task) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Throwable> errors = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    task.run();
                } catch (Throwable e) {
                    synchronized (errors) {
                        errors.add(e);
                    }
                }
            });
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(errors).isEmpty();
    }
}
