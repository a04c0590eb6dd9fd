package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.CircuitState;
import io.nopanic.outcome.Classifier;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerSettingsTest {

    private record Setting<V>(String name, BiConsumer<CircuitBreakerBuilder, V> setter) {}

    private static final List<Setting<Double>> SHARES = List.of(
            new Setting<>("failureRate", CircuitBreakerBuilder::failureRate),
            new Setting<>("slowCallRate", CircuitBreakerBuilder::slowCallRate),
            new Setting<>("failedOrSlowRate", CircuitBreakerBuilder::failedOrSlowRate),
            new Setting<>("probeFailureRate", CircuitBreakerBuilder::probeFailureRate));

    private static final List<Setting<Integer>> COUNTS = List.of(
            new Setting<>("minimumCalls", CircuitBreakerBuilder::minimumCalls),
            new Setting<>("countWindow", CircuitBreakerBuilder::countWindow),
            new Setting<>("consecutiveFailures", CircuitBreakerBuilder::consecutiveFailures),
            new Setting<>("probes", CircuitBreakerBuilder::probes),
            new Setting<>("buckets", (builder, buckets) -> builder.timeWindow(Duration.ofSeconds(1), buckets)));

    private static final List<Setting<Duration>> DURATIONS = List.of(
            new Setting<>("timeWindow", CircuitBreakerBuilder::timeWindow),
            new Setting<>("slowAfter", CircuitBreakerBuilder::slowAfter),
            new Setting<>("openFor", CircuitBreakerBuilder::openFor),
            new Setting<>("probeTimeout", CircuitBreakerBuilder::probeTimeout),
            new Setting<>("cap", (builder, cap) -> builder.openGrowth(2, cap)));

    private static <V> void assertRefused(List<Setting<V>> settings, V value) {
        for (Setting<V> setting : settings) {
            assertThatIllegalArgumentException()
                    .as(setting.name())
                    .isThrownBy(() -> setting.setter().accept(CircuitBreaker.builder(), value))
                    .withMessageContaining(setting.name() + " is " + value)
                    .withMessageContaining("allowed is");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, -0.1, 1.0001, 50})
    void refusesNumbersThatMakeNoSense(double value) {
        assertRefused(SHARES, value);
        if (value != 50 && value != 1.0001) {
            assertRefused(List.of(new Setting<Double>("factor", (b, v) -> b.openGrowth(v, Duration.ofDays(1)))), value);
        }
        if (!(value >= 0 && value <= 1)) {
            assertRefused(List.of(new Setting<Double>("openJitter", CircuitBreakerBuilder::openJitter)), value);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesCountsBelowOne(int value) {
        assertRefused(COUNTS, value);
    }

    @Test
    void refusesDurationsOfNoLength() {
        assertRefused(DURATIONS, Duration.ZERO);
        assertRefused(DURATIONS, Duration.ofNanos(-1));
        assertRefused(DURATIONS, Duration.ofSeconds(Long.MIN_VALUE));
        assertRefused(
                List.of(new Setting<>("retryAfterCap", CircuitBreakerBuilder::retryAfterCap)), Duration.ofNanos(-1));
    }

    @Test
    void durationsOfAnyLengthAreKeptOrCut() {
        for (Duration duration : List.of(
                Duration.ofNanos(1),
                Duration.ofNanos(900_000),
                Duration.ofDays(400L * 365),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))) {
            VirtualTime time = VirtualTime.create();
            CircuitBreaker breaker = CircuitBreaker.builder()
                    .time(time.time())
                    .timeWindow(duration)
                    .openFor(duration)
                    .probeTimeout(duration)
                    .slowAfter(duration)
                    .openGrowth(100, Duration.ofSeconds(Long.MAX_VALUE))
                    .openJitter(1)
                    .consecutiveFailures(1)
                    .build();
            Pipeline pipeline = Pipeline.of(breaker);
            for (int i = 0; i < 300; i++) {
                assertThatThrownBy(() -> pipeline.call(() -> {
                            throw new IOException();
                        }))
                        .isInstanceOfAny(IOException.class, CircuitOpenException.class);
                time.advance(Duration.ofHours(1));
            }
            assertThat(breaker.state()).isIn(CircuitState.OPEN, CircuitState.HALF_OPEN);
        }
    }

    @Test
    void refusesSettingsThatContradictEachOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CircuitBreaker.builder().slowCallRate(0.5).build())
                .withMessageContaining("slowAfter");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        CircuitBreaker.builder().countWindow(10).minimumCalls(11).build())
                .withMessageContaining("minimumCalls is 11");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CircuitBreaker.builder()
                        .openFor(Duration.ofSeconds(10))
                        .openGrowth(2, Duration.ofSeconds(9))
                        .build())
                .withMessageContaining("cap is PT9S");
        assertThatIllegalStateException()
                .isThrownBy(() -> CircuitBreaker.builder()
                        .classifier(Classifier.standard())
                        .ignore(IOException.class));
    }

    @Test
    void aShortCountWindowLowersTheDefaultMinimum() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.builder().countWindow(2).build();
        Pipeline pipeline = Pipeline.of(breaker);
        pipeline.admit().failed(new IOException());
        pipeline.admit().failed(new IOException());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void failuresInARowAloneReplaceTheWindowAndBesideARateEitherOpens() throws Exception {
        CircuitBreaker row = CircuitBreaker.builder().consecutiveFailures(10).build();
        CircuitBreaker either =
                CircuitBreaker.builder().consecutiveFailures(10).minimumCalls(5).build();
        for (int i = 0; i < 9; i++) {
            Pipeline.of(row).admit().failed(new IOException());
        }
        assertThat(row.state()).isEqualTo(CircuitState.CLOSED);
        for (int i = 0; i < 5; i++) {
            Pipeline.of(either).admit().failed(new IOException());
        }
        assertThat(either.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void describesItself() {
        assertThat(CircuitBreaker.withDefaults("db").describe())
                .isEqualTo("opens at 50.0 % failed of at least 5 calls in the last PT30S; open PT30S; 1 probe");
        assertThat(CircuitBreaker.builder()
                        .countWindow(100)
                        .slowAfter(Duration.ofSeconds(1))
                        .slowCallRate(0.25)
                        .consecutiveFailures(3)
                        .openGrowth(2, Duration.ofMinutes(2))
                        .openJitter(0.2)
                        .probes(3)
                        .build()
                        .describe())
                .isEqualTo("opens at 50.0 % failed or 25.0 % slow of at least 5 calls in the last 100 calls, or 3 failures in a"
                        + " row; open PT30S growing x2.0 up to PT2M +-20 %; 3 probes");
    }
}
