package io.nopanic.lab.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void theMeanOfRunsHasStudentsInterval() {
        Sample.Mean mean = new Sample.Mean();
        for (double value : new double[] {8, 10, 12, 10}) {
            mean.add(value);
        }
        Sample sample = mean.sample();

        // Standard error sqrt((4 + 4) / 3 / 4) = 0.8165, times 3.1824 for 3 degrees of freedom.
        assertThat(sample.mean()).isEqualTo(10);
        assertThat(sample.runs()).isEqualTo(4);
        assertThat(sample.interval().low()).isCloseTo(10 - 2.5985, offset(1e-3));
        assertThat(sample.interval().high()).isCloseTo(10 + 2.5985, offset(1e-3));
    }

    @Test
    void oneRunSaysNothingAboutTheMean() {
        Sample.Mean mean = new Sample.Mean();
        mean.add(10);
        assertThat(mean.sample().interval()).isEqualTo(new Interval(0, Double.POSITIVE_INFINITY));
    }

    @Test
    void noMeanIsNegative() {
        Sample.Mean mean = new Sample.Mean();
        mean.add(0);
        mean.add(1);
        assertThat(mean.sample().interval().low()).isZero();
    }

    /** The interval for 10 events, from tables: 4.795 to 18.39. */
    @Test
    void rareEventsHaveTheIntervalOfAPoissonProcess() {
        Sample sample = Sample.ofPoisson(1000, 10, 10);
        assertThat(sample.mean()).isEqualTo(100);
        assertThat(sample.interval().low()).isCloseTo(1000 / 18.39, offset(0.02));
        assertThat(sample.interval().high()).isCloseTo(1000 / 4.795, offset(0.1));
    }

    /** Nothing in 1000 calls: with 95 % fewer than 3.689 were to be expected. */
    @Test
    void whatNeverHappenedHasALowestMeanOnly() {
        Sample sample = Sample.ofPoisson(1000, 0, 1);
        assertThat(sample.mean()).isInfinite();
        assertThat(sample.interval().low()).isCloseTo(1000 / 3.689, offset(0.1));
        assertThat(sample.interval().high()).isInfinite();
    }

    @Test
    void sharesHaveWilsonsInterval() {
        Interval interval = Sample.ofShare(0, 100).interval();
        assertThat(interval.low()).isCloseTo(0, offset(1e-9));
        assertThat(interval.high()).isCloseTo(0.037, offset(1e-3));
    }

    @Test
    void aBoundIsBrokenOnlyWhereTheRunsLeaveNoDoubt() {
        Sample.Mean mean = new Sample.Mean();
        for (int run = 0; run < 100; run++) {
            mean.add(run % 2 == 0 ? 99 : 101);
        }
        Comparison.Bound exact = Comparison.Bound.EXACT;
        assertThat(Comparison.of("it", "mean", 100.2, exact, mean.sample()).holds())
                .isTrue();
        assertThat(Comparison.of("it", "mean", 101, exact, mean.sample()).holds())
                .isFalse();
        assertThat(Comparison.of("it", "mean", 99, exact, mean.sample()).holds())
                .isFalse();
        assertThat(Comparison.of("it", "mean", 105, Comparison.Bound.percent(5), mean.sample())
                        .holds())
                .isTrue();
        assertThat(Comparison.of("it", "mean", 107, Comparison.Bound.percent(5), mean.sample())
                        .holds())
                .isFalse();
        assertThat(Comparison.of("it", "mean", 80, exact, mean.sample()).off()).isCloseTo(0.25, offset(1e-9));
    }
}
