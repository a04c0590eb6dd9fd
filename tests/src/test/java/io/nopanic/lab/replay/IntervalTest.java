package io.nopanic.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {

    @ParameterizedTest
    @CsvSource({"0, 0, 3.6889", "1, 0.0253, 5.5716", "5, 1.6235, 11.6683", "100, 81.3640, 121.6268"})
    void theMeanBehindACountIsWithinTheTabulatedBounds(long count, double from, double to) {
        Interval interval = Interval.ofPoissonMean(count);
        assertThat(interval.from()).isCloseTo(from, within(1e-4));
        assertThat(interval.to()).isCloseTo(to, within(1e-4));
    }

    @Test
    void anIntervalContainsItsBounds() {
        Interval interval = new Interval(-1, 2);
        assertThat(interval.contains(-1)).isTrue();
        assertThat(interval.contains(2)).isTrue();
        assertThat(interval.contains(2.1)).isFalse();
        assertThat(interval.dividedBy(2)).isEqualTo(new Interval(-0.5, 1));
    }
}
