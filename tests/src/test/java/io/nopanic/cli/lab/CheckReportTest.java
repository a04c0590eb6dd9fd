package io.nopanic.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.predict.Comparison;
import io.nopanic.lab.predict.Comparison.Bound;
import io.nopanic.lab.predict.Interval;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckReportTest {

    private final StringWriter out = new StringWriter();

    private CheckReport report(Comparison... comparisons) {
        return new CheckReport(Screen.plain(out, new StringWriter()), 5, List.of(comparisons));
    }

    private static Comparison comparison(double formula, double simulated) {
        Bound bound = new Bound(0.9, 1.1, "+-10 %");
        return new Comparison(
                "consecutive:5",
                "calls to trip",
                formula,
                bound,
                simulated,
                new Interval(simulated - 1, simulated + 1));
    }

    @Test
    void aBrokenBoundStandsOut() {
        CheckReport report = report(comparison(100, 104), comparison(100, 120));
        report.print();

        assertThat(report.allHold()).isFalse();
        assertThat(out.toString())
                .contains("104   +4.0%      +-10 % ok", "120  +20.0%  +-10 % BROKEN")
                .contains("1 of 2 bounds are broken (seed 5).");
        assertThat(out.toString().lines().filter("consecutive:5"::equals)).hasSize(1);
    }

    @Test
    void boundsThatHoldAreCounted() {
        CheckReport report = report(comparison(100, 104));
        report.print();

        assertThat(report.allHold()).isTrue();
        assertThat(out.toString()).contains("All 1 bounds hold (seed 5).").doesNotContain("BROKEN");
    }
}
