package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.pipeline.Pipeline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings that are known to suit the traffic badly are named when the breaker is built. */
class BreakerWarningsTest {

    private static CircuitBreakerBuilder quick() {
        return CircuitBreaker.builder().quadraticProbing();
    }

    @Test
    void nothingIsKnownToGoWrongWhereNothingIsKnownOfTheTraffic() {
        assertThat(CircuitBreaker.withDefaults("any").warnings()).isEmpty();
    }

    @Test
    void aWindowOfTimeThatHoldsTooFewCallsIsBlind() {
        assertThat(quick().expectedRate(0.3).build().warnings())
                .singleElement()
                .asString()
                .contains("0.30 calls per second", "PT30S", "9.0 calls", "minimumCalls is 5", "can go unseen");
        assertThat(quick().expectedRate(0.34).build().warnings()).isEmpty();
        assertThat(quick().countWindow(20).expectedRate(0.3).build().warnings()).isEmpty();
    }

    @Test
    void aSmallMinimumTripsOnTheUsualFailuresWhileTheWindowFills() {
        assertThat(quick().minimumCalls(5)
                        .expectedRate(10)
                        .expectedFailureRate(0.05)
                        .build()
                        .warnings())
                .singleElement()
                .asString()
                .contains("minimumCalls 5", "5.0 %", "Raise minimumCalls");
        assertThat(quick().minimumCalls(20)
                        .expectedRate(10)
                        .expectedFailureRate(0.05)
                        .build()
                        .warnings())
                .isEmpty();
    }

    @Test
    void anOpenTimeTenTimesTheBestIsTooLong() {
        assertThat(CircuitBreaker.builder()
                        .consecutiveFailures(5)
                        .openFor(Duration.ofSeconds(60))
                        .expectedRate(10)
                        .build()
                        .warnings())
                .singleElement()
                .asString()
                .contains("PT1M", "10 calls per second", "3.5 s are best", "quadraticProbing");
        assertThat(CircuitBreaker.builder()
                        .consecutiveFailures(5)
                        .openFor(Duration.ofSeconds(34))
                        .expectedRate(10)
                        .build()
                        .warnings())
                .isEmpty();
    }

    @Test
    void dearFailuresMakeFalseTripsOnTheUsualFailuresFrequent() {
        assertThat(CircuitBreaker.adaptive()
                        .failureCost(10)
                        .expectedRate(1)
                        .build()
                        .warnings())
                .singleElement()
                .asString()
                .contains("1.0 % of 1.0 calls per second", "every 5.4 hours", "lower failureCost");
        assertThat(CircuitBreaker.adaptive().expectedRate(1).build().warnings()).isEmpty();
    }

    @Test
    void theEvidenceRuleHasNoWindowToGetWrong() {
        assertThat(CircuitBreaker.adaptive()
                        .expectedRate(0.01)
                        .expectedFailureRate(0.001)
                        .build()
                        .warnings())
                .isEmpty();
    }

    @Test
    void aBulkheadThatLetsFewerCallsHangThanTheBreakerNeedsToSeeFailIsNamedByThePipeline() {
        Pipeline starved = Pipeline.of(CircuitBreaker.withDefaults("orders"), Bulkhead.of(4));

        assertThat(starved.warnings())
                .singleElement()
                .asString()
                .contains("lets 4 calls run", "it takes 5 hanging calls");
        assertThat(Pipeline.of(CircuitBreaker.withDefaults("orders"), Bulkhead.of(5))
                        .warnings())
                .isEmpty();
    }

    @Test
    void withEvidenceEachCallThatHangsCountsAsManyTimesAsSlowCallsCost() {
        CircuitBreaker breaker =
                CircuitBreaker.adaptive().evidenceThreshold(12).slowCost(3).build();

        assertThat(breaker.hangingCallsToOpen()).isEqualTo(4);
        assertThat(Pipeline.of(breaker, Bulkhead.of(3)).warnings()).hasSize(1);
        assertThat(Pipeline.of(breaker, Bulkhead.of(4)).warnings()).isEmpty();
    }

    @Test
    void expectationsAreChecked() {
        assertThatThrownBy(() -> CircuitBreaker.builder().expectedRate(0)).hasMessageContaining("expectedRate");
        assertThatThrownBy(() -> CircuitBreaker.builder().expectedFailureRate(1.01))
                .hasMessageContaining("expectedFailureRate");
    }
}
