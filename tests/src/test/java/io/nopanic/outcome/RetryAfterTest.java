package io.nopanic.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2015-10-21T07:26:30Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);

    @ParameterizedTest
    @CsvSource({
        "120, 120",
        "0, 0",
        "' 7 ', 7",
        "'\t7', 7",
        "007, 7",
        "9223372037, 9223372037",
        "999999999999999999, 999999999999999999"
    })
    void readsSeconds(String header, long seconds) {
        assertThat(RetryAfter.parse(header, CLOCK)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "9223372036854775808", "99999999999999999999999999999999999999"})
    void takesMoreSecondsThanThereAreAsTheLongestDuration(String header) {
        Duration parsed = RetryAfter.parse(header, CLOCK).orElseThrow();
        assertThat(parsed).isEqualTo(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(Nanos.of(parsed)).isEqualTo(Nanos.FOREVER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Wed, 21 Oct 2015 07:28:00 GMT",
                "Wednesday, 21-Oct-15 07:28:00 GMT",
                "Wed Oct 21 07:28:00 2015",
                " wed, 21 oct 2015 07:28:00 gmt ",
                "Mon, 21 Oct 2015 07:28:00 GMT",
                "Wed, 21 Oct 2015 07:27:60 GMT"
            })
    void readsAllThreeFormsOfADate(String header) {
        assertThat(RetryAfter.parse(header, CLOCK)).contains(Duration.ofSeconds(90));
    }

    @Test
    void readsADayOfOneDigitInTheOldestForm() {
        InstantSource clock = InstantSource.fixed(Instant.parse("1994-11-06T08:49:30Z"));
        assertThat(RetryAfter.parse("Sun Nov  6 08:49:37 1994", clock)).contains(Duration.ofSeconds(7));
    }

    @Test
    void isNeverEarlyWhenTheClockIsWithinASecond() {
        InstantSource clock = InstantSource.fixed(NOW.plusMillis(250));
        assertThat(RetryAfter.parse("Wed, 21 Oct 2015 07:28:00 GMT", clock)).contains(Duration.ofMillis(89_750));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Wed, 21 Oct 2015 07:26:29 GMT",
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sat, 01 Jan 0000 00:00:00 GMT"
            })
    void takesADateThatIsPastAsZero(String header) {
        assertThat(RetryAfter.parse(header, CLOCK)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({
        // now, two digits, the year meant
        "2015-10-21T00:00:00Z, 65, 2065",
        "2015-10-20T00:00:00Z, 65, 1965",
        "2015-10-21T00:00:00Z, 66, 1966",
        "2015-10-21T00:00:00Z, 94, 1994",
        "1999-12-31T00:00:00Z, 05, 2005",
        "2099-12-31T00:00:00Z, 05, 2105",
    })
    void takesAYearOfTwoDigitsAsAtMostFiftyYearsAhead(Instant now, String digits, int year) {
        Instant meant = Instant.parse(year + "-10-21T00:00:00Z");
        Duration expected = meant.isAfter(now) ? Duration.between(now, meant) : Duration.ZERO;
        assertThat(RetryAfter.parse("Wednesday, 21-Oct-" + digits + " 00:00:00 GMT", InstantSource.fixed(now)))
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-5",
                "+3",
                "-3",
                "1.5",
                "1e3",
                "0x10",
                "NaN",
                "Infinity",
                "soon",
                "120s",
                "1 2",
                "120, 60",
                "\u0661\u0662\u0660",
                "-9223372036854775808",
                "2015-10-21T07:28:00Z",
                "Wed, 21 Oct 2015 07:28:00",
                "Wed, 21 Oct 2015 07:28:00 UTC",
                "Wed, 21 Oct 2015 07:28:00 +0200",
                "Wed, 21 Oct 15 07:28:00 GMT",
                "Wed, 1 Oct 2015 07:28:00 GMT",
                "Wed, 21 Oct -2015 07:28:00 GMT",
                "Wed, 31 Feb 2015 07:28:00 GMT",
                "Wed, 29 Feb 2015 07:28:00 GMT",
                "Wed, 00 Oct 2015 07:28:00 GMT",
                "Wed, 21 Okt 2015 07:28:00 GMT",
                "Wed, 21 Oct 2015 24:28:00 GMT",
                "Wed, 21 Oct 2015 07:60:00 GMT",
                "Wed, 21 Oct 2015 07:28:61 GMT",
                "Xyz, 21 Oct 2015 07:28:00 GMT",
                "Wednesday, 32-Oct-15 07:28:00 GMT",
                "Wed Oct 21 07:28:00 2015 GMT",
                "Wed, 21 Oct 2015 07:28:00 GMT, Wed, 21 Oct 2015 07:28:00 GMT",
            })
    void takesAnythingElseAsNoHint(String header) {
        assertThat(RetryAfter.parse(header, CLOCK)).isEmpty();
    }

    @Test
    void takesNoHeaderAsNoHint() {
        assertThat(RetryAfter.parse(null, CLOCK)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Wed, 21 Oct 2015 07:28:00 GMT", "Wednesday, 29-Feb-00 07:28:00 GMT", "5"})
    void neverThrowsWhateverTheClockSays(String header) {
        for (Instant now : new Instant[] {Instant.MIN, Instant.MAX, Instant.EPOCH}) {
            RetryAfter.parse(header, InstantSource.fixed(now))
                    .ifPresent(parsed -> assertThat(parsed.isNegative()).isFalse());
        }
    }

    @Test
    void neverThrowsAndIsNeverNegativeForRandomText() {
        long seed = 20_151_021;
        Random random = new Random(seed);
        String alphabet = "0123456789 ,-+:.WedOctNovGMT\t";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder header = new StringBuilder("Wed, 21 Oct 2015 07:28:00 GMT");
            for (int i = random.nextInt(5); i >= 0; i--) {
                header.setCharAt(random.nextInt(header.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(RetryAfter.parse(header.toString(), CLOCK)
                            .orElse(Duration.ZERO)
                            .isNegative())
                    .as("%s (seed %d)", header, seed)
                    .isFalse();
        }
    }
}
