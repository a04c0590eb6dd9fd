package io.nopanic.fallback;

import static io.nopanic.CallMode.failing;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.CallMode;
import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackOrderTest {

    private final VirtualTime time = VirtualTime.manual();
    private final Fallback<String> fallback = Fallback.<String>builder()
            .value("any")
            .value(CircuitOpenException.class, "open")
            .build();
    private final Retry retry =
            Retry.builder().attempts(3).backoff(Backoff.none()).build();
    private final CircuitBreaker breaker =
            CircuitBreaker.builder().consecutiveFailures(6).time(time.time()).build();
    private final AtomicInteger attempts = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(CallMode.class)
    void outermostItLeavesEveryFailureToRetryAndBreaker(CallMode mode) throws Exception {
        Pipeline pipeline = Pipeline.of(fallback, retry, breaker);

        assertThat(mode.call(pipeline, counted(new IOException()))).isEqualTo("any");
        assertThat(attempts).hasValue(3);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(mode.call(pipeline, counted(new IOException()))).isEqualTo("any");
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(mode.call(pipeline, counted(new IOException()))).isEqualTo("open");
        assertThat(attempts).hasValue(6);
        assertThat(pipeline.warnings()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(CallMode.class)
    void insideARetryItHidesTheFailureAndThePipelineWarns(CallMode mode) throws Exception {
        Pipeline pipeline = Pipeline.of(retry, breaker, fallback);

        assertThat(mode.call(pipeline, counted(new IOException()))).isEqualTo("any");
        assertThat(attempts).hasValue(1);
        assertThat(pipeline.warnings()).hasSize(2).allMatch(warning -> warning.contains("fallback"));
    }

    private Callable<Object> counted(Throwable error) {
        return () -> {
            attempts.incrementAndGet();
            return failing(error).call();
        };
    }
}
