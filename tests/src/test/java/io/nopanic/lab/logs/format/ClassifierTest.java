package io.nopanic.lab.logs.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.call.Ending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassifierTest {

    @ParameterizedTest
    @CsvSource({
        "200,SUCCESS",
        "304,SUCCESS",
        "404,IGNORED",
        "429,FAILURE",
        "499,IGNORED",
        "500,FAILURE",
        "504,TIMEOUT",
        "999,SUCCESS"
    })
    void theStandardOneTakesTheServersFaults(int status, Ending ending) {
        assertThat(Classifier.standard().ofStatus(status)).isEqualTo(ending);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // fail | ignore | status | ending: what is more exact wins, and of two that are as exact ignoring
                "5xx,404|4xx|404|FAILURE",
                "5xx|503|503|IGNORED",
                "5xx|5xx|503|IGNORED",
                "503|503|503|IGNORED",
                "504|5xx|504|TIMEOUT",
                "timeout|''|504|TIMEOUT",
                "5xx|timeout|504|IGNORED",
                "io|''|504|SUCCESS",
                "''|''|500|SUCCESS",
                "4XX|''|400|FAILURE"
            })
    void exactnessDecides(String fail, String ignore, int status, Ending ending) {
        assertThat(Classifier.of(fail, ignore).ofStatus(status)).isEqualTo(ending);
    }

    @Test
    void aFailureWithoutAnAnswerThatNobodyNamesSaysNothing() {
        Classifier classifier = Classifier.of("5xx, timeout", "");
        assertThat(classifier.ofKind(FailureKind.TIMEOUT)).isEqualTo(Ending.TIMEOUT);
        assertThat(classifier.ofKind(FailureKind.IO)).isEqualTo(Ending.IGNORED);
        assertThat(Classifier.standard().ofKind(FailureKind.CANCELLED)).isEqualTo(Ending.IGNORED);
        assertThat(Classifier.of("cancelled", "").ofKind(FailureKind.CANCELLED)).isEqualTo(Ending.FAILURE);
    }

    @ParameterizedTest
    @CsvSource({
        "x.OddException,FAILURE",
        "OddException,FAILURE",
        "a.b.CalmException,IGNORED",
        "OtherException,IGNORED",
        "x.IOException,FAILURE"
    })
    void errorsAreNamedWithOrWithoutTheirPackage(String name, Ending ending) {
        assertThat(Classifier.of("OddException,io", "CalmException").ofError(name))
                .isEqualTo(ending);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeouts", "6x", "50", "5xx;429", "0xx", "5000"})
    void aTermThatMeansNothingIsRefused(String term) {
        assertThatThrownBy(() -> Classifier.of(term, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fail is '" + term + "'")
                .hasMessageContaining("429");
    }

    @Test
    void itDescribesItself() {
        assertThat(Classifier.of("5xx,,timeout ", "")).hasToString("failures: 5xx, timeout; ignored: none");
    }
}
