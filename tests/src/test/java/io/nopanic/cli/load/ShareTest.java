package io.nopanic.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.cli.options.Share;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareTest {

    @ParameterizedTest
    @CsvSource({
        "1/3, 33333",
        "0, 0",
        "0.5, 50000",
        ".25, 25000",
        "25%, 25000",
        "0.1%, 100",
        "12.5 %, 12500",
        "0/7, 0",
        "0.333333, 33333"
    })
    void isExact(String text, long ofAHundredThousand) {
        Share share = Share.parse(text);

        assertThat(share.of(100_000)).isEqualTo(ofAHundredThousand);
        assertThat(failuresOf(share, 100_000)).isEqualTo(ofAHundredThousand);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "%", "1/", "1/0", "-1", "1e3", "NaN", "0,5", ".5%", "1/3/5", "9999999/1"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> Share.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("1/3");
    }

    @Test
    void failuresAreSpreadEvenly() {
        Dependency dependency = new Dependency(Share.parse("1/3"));

        assertThat(Caller.call(body -> body.call(), dependency, 2, calls -> {})).isEqualTo(new Tally(2, 0, 0));
        assertThat(Caller.call(body -> body.call(), dependency, 1, calls -> {})).isEqualTo(new Tally(0, 1, 0));
    }

    private static long failuresOf(Share share, long calls) {
        return Caller.call(body -> body.call(), new Dependency(share), calls, done -> {})
                .failed();
    }
}
