package io.nopanic.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.CapturedLog;
import org.junit.jupiter.api.Test;

class ReportedOnceTest {

    @Test
    void reportsTheFirstThrowOnly() {
        ReportedOnce reported = new ReportedOnce(ReportedOnceTest.class, "it threw");
        try (CapturedLog log = new CapturedLog(ReportedOnceTest.class)) {
            IllegalStateException first = new IllegalStateException("first");
            reported.thrown(first);
            reported.thrown(new IllegalStateException("second"));
            assertThat(log.records()).singleElement().satisfies(each -> {
                assertThat(each.getThrown()).isSameAs(first);
                assertThat(each.getMessage()).isEqualTo("it threw (reported once)");
            });
        }
    }

    @Test
    void isUsedByAClassifierWhosePredicateThrows() {
        Classifier classifier = Classifier.builder()
                .failOnResult(result -> {
                    throw new NoClassDefFoundError("gone");
                })
                .build();
        try (CapturedLog log = new CapturedLog(Classifier.class)) {
            assertThat(classifier.ofResult("a")).isEqualTo(Outcome.SUCCESS);
            assertThat(classifier.ofResult("b")).isEqualTo(Outcome.SUCCESS);
            assertThat(log.records()).hasSize(1);
        }
    }
}
