package io.nopanic.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    private static final long MILLI = 1_000_000;

    /** So many calls that take so many milliseconds, in turn. */
    private static Histogram latencies(long... countsAndMillis) {
        Histogram histogram = new Histogram(1, 86_400_000_000_000L, 2);
        for (int i = 0; i < countsAndMillis.length; i += 2) {
            histogram.recordValueWithCount(countsAndMillis[i + 1] * MILLI, countsAndMillis[i]);
        }
        return histogram;
    }

    /** A million calls: the 95th percentile is 20 ms, the 99.9th 100 ms, the 99.99th 400 ms. */
    private static Histogram million() {
        return latencies(940_000, 10, 58_000, 20, 1_500, 100, 450, 400, 50, 3_000);
    }

    private static TimeAdvice advice(Histogram latencies) {
        return new TimeAdvice(latencies, Optional.empty(), Optional.empty());
    }

    private static TimeAdvice advice(Histogram latencies, long sloMillis) {
        return new TimeAdvice(latencies, Optional.of(Duration.ofMillis(sloMillis)), Optional.empty());
    }

    @Test
    void slowIsWhatOneInTenThousandHealthyCallsExceeds() {
        Recommendation<Duration> slow = advice(million()).slowAfter();
        assertThat(slow.value().orElseThrow()).isBetween(Duration.ofMillis(400), Duration.ofMillis(410));
        assertThat(slow.certainty()).isEqualTo(Certainty.FOUNDED);
        assertThat(slow.calls()).isEqualTo(1_000_000);
    }

    @Test
    void withFewCallsThatIsThinAndWithFewerARule() {
        Recommendation<Duration> thin = advice(latencies(19_990, 10, 10, 50)).slowAfter();
        assertThat(thin.certainty()).isEqualTo(Certainty.THIN);
        assertThat(thin.why()).contains("that rests on 2 calls");
        Recommendation<Duration> rule = advice(latencies(2_000, 50)).slowAfter();
        assertThat(rule.certainty()).isEqualTo(Certainty.RULE_OF_THUMB);
        assertThat(rule.value().orElseThrow()).isBetween(Duration.ofMillis(200), Duration.ofMillis(210));
        assertThat(advice(latencies(2_000, 1)).slowAfter().value()).contains(Duration.ofMillis(100));
    }

    @Test
    void withoutDurationsNobodyCanTell() {
        TimeAdvice none = advice(latencies());
        for (Recommendation<Duration> each : List.of(none.slowAfter(), none.timeout(), none.hedge(0))) {
            assertThat(each.value()).isEmpty();
            assertThat(each.certainty()).isEqualTo(Certainty.UNKNOWN);
            assertThat(each.why()).isEqualTo("the log does not say how long calls took");
        }
        assertThat(advice(latencies(999, 10)).timeout().why()).contains("too few healthy calls");
    }

    @Test
    void aCallIsSlowAtHalfOfWhatACallerWaitsUnlessHealthyCallsAreToo() {
        Recommendation<Duration> half = advice(million(), 600).slowAfter();
        assertThat(half.value()).contains(Duration.ofMillis(300));
        assertThat(half.why()).contains("0.05 % of healthy calls exceed");
        Recommendation<Duration> never = advice(million(), 100).slowAfter();
        assertThat(never.value()).isEmpty();
        assertThat(never.why()).contains("open the breaker for nothing");
    }

    @Test
    void aTimeoutIsTwiceWhatHealthyCallsTakeAndTwiceSlow() {
        Histogram even = latencies(998_000, 10, 1_950, 500, 50, 600);
        assertThat(advice(even).timeout().value().orElseThrow())
                .isBetween(Duration.ofMillis(1_000), Duration.ofMillis(1_100));
        Recommendation<Duration> bySlow = advice(million()).timeout();
        assertThat(bySlow.value().orElseThrow()).isBetween(Duration.ofMillis(800), Duration.ofMillis(830));
        assertThat(bySlow.why()).contains("not less than twice slowAfter");
    }

    @Test
    void aTimeoutIsNotLongerThanACallerWaits() {
        Recommendation<Duration> timeout = advice(million(), 150).timeout();
        assertThat(timeout.value()).contains(Duration.ofMillis(150));
        assertThat(timeout.why()).contains("0.05 % of healthy calls take longer");
    }

    @Test
    void aHedgeGoesOutWhenNineteenInTwentyHaveAnswered() {
        Recommendation<Duration> hedge =
                advice(latencies(990_000, 10, 10_000, 500)).hedge(0);
        assertThat(hedge.value().orElseThrow()).isBetween(Duration.ofMillis(10), Duration.ofMillis(11));
        assertThat(hedge.why()).contains("must not be made twice");
    }

    @Test
    void aHedgeThatGainsLittleOrHasNoRoomIsNotRecommended() {
        assertThat(advice(latencies(1_000_000, 10)).hedge(0).why()).contains("not worth 5 % more calls");
        assertThat(advice(latencies(990_000, 10, 10_000, 500)).hedge(0.96).why())
                .contains("no capacity");
        assertThat(advice(latencies(990_000, 10, 10_000, 500)).hedge(0.94).value())
                .isPresent();
    }

    @Test
    void twoCallsAreSlowIfBothAre() {
        // 10 % take 500 ms. With a second call after 20 ms, 1 % do; nine in a hundred end at 30 ms.
        Latencies latencies = new Latencies(latencies(900_000, 10, 100_000, 500));
        assertThat(latencies.hedgedNanos(20 * MILLI, 0.011) / (double) MILLI).isCloseTo(30, within(1.0));
        assertThat(latencies.hedgedNanos(20 * MILLI, 0.009) / (double) MILLI).isCloseTo(500, within(5.0));
    }

    @Test
    void timesAreRoundedUpToTwoDigits() {
        assertThat(Latencies.rounded(837_123_456)).isEqualTo(Duration.ofMillis(840));
        assertThat(Latencies.rounded(10 * MILLI)).isEqualTo(Duration.ofMillis(10));
        assertThat(Latencies.rounded(99_000_001)).isEqualTo(Duration.ofMillis(100));
        assertThat(Latencies.rounded(7)).isEqualTo(Duration.ofNanos(7));
    }

    @Test
    void whatIsSlowNeedNotBeAsked() {
        TimeAdvice advice = new TimeAdvice(million(), Optional.empty(), Optional.of(Duration.ofSeconds(2)));
        assertThat(advice.slowAfter().value()).contains(Duration.ofSeconds(2));
        assertThat(advice.slowAfter().certainty()).isEqualTo(Certainty.GIVEN);
        assertThat(advice.slowAfter().why()).isEqualTo("as said; 0.005 % of healthy calls exceed it");
        assertThat(advice.timeout().value()).contains(Duration.ofSeconds(4));
        TimeAdvice unknown = new TimeAdvice(latencies(), Optional.empty(), Optional.of(Duration.ofSeconds(2)));
        assertThat(unknown.slowAfter().value()).contains(Duration.ofSeconds(2));
        assertThat(unknown.timeout().value()).isEmpty();
    }
}
