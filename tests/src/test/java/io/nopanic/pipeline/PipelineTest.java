package io.nopanic.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.events.Event;
import io.nopanic.fallback.Fallback;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.retry.Retry;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.RecordedEvents;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.timeout.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PipelineTest {

    private final VirtualTime time = VirtualTime.create();

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void withoutPoliciesCallsPassAsTheyAre() throws Exception {
        Pipeline pipeline = Pipeline.of();
        assertThat(pipeline.<String>call(() -> "v")).isEqualTo("v");
        assertThat(pipeline.callAsync(() -> CompletableFuture.completedFuture("v"))).isCompletedWithValue("v");
    }

    @Test
    void checkedExceptionsComeOutAsTheSameObject() {
        IOException error = new IOException();
        assertThatThrownBy(() -> Pipeline.of(Retry.ofAttempts(1), Bulkhead.of(1)).call(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void describesItsPoliciesOutermostFirst() {
        String text = Pipeline.builder()
                .name("orders")
                .with(Retry.builder().name("again").build())
                .with(Bulkhead.builder().name("few").maxConcurrent(3).build())
                .build()
                .describe();
        assertThat(text.lines()).hasSize(3);
        assertThat(text).containsSubsequence("orders", "1. ", "again", "2. ", "few");
    }

    @Test
    void warnsOfOrdersThatAreKnownToBeWrong() {
        CircuitBreaker breaker = CircuitBreaker.withDefaults("b");
        assertThat(Pipeline.of(Retry.withDefaults(), Fallback.ofValue(1)).warnings())
                .singleElement()
                .asString()
                .contains("nothing is ever retried");
        assertThat(Pipeline.of(breaker, Fallback.ofValue(1)).warnings()).hasSize(1);
        assertThat(Pipeline.of(breaker, Retry.withDefaults()).warnings()).hasSize(1);
        assertThat(Pipeline.of(Timeout.of(Duration.ofSeconds(1)), Timeout.of(Duration.ofSeconds(2))).warnings())
                .singleElement()
                .asString()
                .contains("never comes into effect");
        assertThat(Pipeline.of(
                                Fallback.ofValue(1),
                                Timeout.of(Duration.ofSeconds(2)),
                                Retry.withDefaults(),
                                breaker,
                                Timeout.of(Duration.ofSeconds(1)))
                        .warnings())
                .isEmpty();
    }

    @Test
    void refusesPoliciesOfTwoTimesAndAPolicyTwice() {
        CircuitBreaker virtual = CircuitBreaker.builder().name("v").time(time.time()).build();
        CircuitBreaker real = CircuitBreaker.withDefaults("r");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pipeline.of(virtual, real))
                .withMessageContaining("circuit breaker 'r'");
        Bulkhead bulkhead = Bulkhead.of(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pipeline.of(bulkhead, bulkhead))
                .withMessageContaining("second time");
    }

    @Test
    void onePipelineAroundAnotherIsOne() {
        Pipeline both = Pipeline.builder()
                .name("outer")
                .with(Retry.withDefaults())
                .build()
                .around(Pipeline.of(Bulkhead.of(1)));
        assertThat(both.name()).isEqualTo("outer");
        assertThat(both.policies()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void tellsHowCallsEnd(Mode mode) {
        CircuitBreaker breaker = CircuitBreaker.builder().time(time.time()).build();
        Pipeline pipeline = Pipeline.of(breaker);
        RecordedEvents events = RecordedEvents.of(pipeline.events());
        ScriptedDependency dependency =
                ScriptedDependency.on(time).slow(Duration.ofSeconds(2), "ok").fail(1, IOException::new);
        Guarded service = mode.guard(pipeline, time, dependency);
        service.call(2);
        assertThat(events.last(Event.CallSucceeded.class).durationNanos())
                .isEqualTo(Duration.ofSeconds(2).toNanos());
        assertThat(events.last(Event.CallFailed.class).error()).isInstanceOf(IOException.class);
        assertThat(events.all()).hasSize(2);
    }

    @Test
    void byHandAPermitIsSettledOnce() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(1);
        Pipeline pipeline = Pipeline.of(bulkhead);
        try (Permit permit = pipeline.admit()) {
            assertThat(bulkhead.inUse()).isEqualTo(1);
            assertThat(permit.succeeded("v")).isTrue();
            assertThat(permit.failed(new IOException())).isFalse();
            assertThat(bulkhead.inUse()).isZero();
        }
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void byHandARefusalGivesThePermitsFurtherOutBack() {
        Bulkhead outer = Bulkhead.of(5);
        Bulkhead inner = Bulkhead.of(1);
        Pipeline pipeline = Pipeline.of(outer, inner);
        assertThatThrownBy(() -> {
                    pipeline.admit();
                    pipeline.admit();
                })
                .isInstanceOf(BulkheadFullException.class);
        assertThat(outer.inUse()).isEqualTo(1);
    }

    @Test
    void byHandOnlyPoliciesThatAdmitMakeSense() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Pipeline.of(Retry.withDefaults()).admit())
                .withMessageContaining("retry");
    }

    @Test
    void anInterruptedWaitEndsAsTheSignatureAllowsAndKeepsTheFlag() {
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(1).maxQueued(1).build();
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<Object> holder = pipeline.callAsync(CompletableFuture::new);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pipeline.call(() -> 1)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatThrownBy(() -> pipeline.get(() -> 1)).isInstanceOf(CallInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bulkhead.queued()).isZero();
        holder.cancel(true);
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void submittedCodeIsInterruptedWhenTheCallIsCancelled() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(1);
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<Object> call = Pipeline.of(bulkhead)
                .submit(
                        () -> {
                            started.complete(Thread.currentThread());
                            try {
                                new CompletableFuture<>().get();
                            } finally {
                                interrupted.complete(bulkhead.inUse() == 1);
                            }
                            return 1;
                        },
                        task -> new Thread(task).start());
        Thread worker = started.get();
        call.cancel(true);
        worker.join();
        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(bulkhead.inUse()).isZero();
    }
}
