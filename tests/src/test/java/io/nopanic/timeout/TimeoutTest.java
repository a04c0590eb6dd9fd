package io.nopanic.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Event;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeoutTest {

    @Test
    void interruptsOnTheCallersThreadUnlessToldOtherwise() {
        Timeout timeout = Timeout.of(Duration.ofSeconds(2));
        assertThat(timeout.timeoutNanos()).isEqualTo(2_000_000_000);
        assertThat(timeout.interrupts()).isTrue();
        assertThat(timeout.abandonOn()).isEmpty();
        assertThat(timeout.time()).isEmpty();
    }

    @Test
    void abandonsOnAnExecutorThatIsNeverFull() {
        Timeout timeout =
                Timeout.builder().after(Duration.ofSeconds(2)).abandon().build();
        assertThat(timeout.abandonOn()).containsSame(DefaultExecutors.blocking());
        assertThat(timeout.interrupts()).isTrue();
    }

    @Test
    void abandonsOnAGivenExecutorWithoutInterruptIfWanted() {
        Executor executor = Runnable::run;
        Timeout timeout = Timeout.builder()
                .after(Duration.ofSeconds(2))
                .abandonOn(executor)
                .interrupt(false)
                .build();
        assertThat(timeout.abandonOn()).containsSame(executor);
        assertThat(timeout.interrupts()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.000000001S, 1",
        "PT0.0009S, 900000",
        "PT0.001S, 1000000",
        "PT1.000000001S, 1000000001",
        "PT24H, 86400000000000"
    })
    void keepsEveryDurationToTheNanosecond(Duration after, long expectedNanos) {
        assertThat(Timeout.of(after).timeoutNanos()).isEqualTo(expectedNanos);
    }

    @Test
    void cutsDurationsThatAreLongerThanALifetime() {
        for (Duration after : List.of(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofDays(400L * 365))) {
            assertThat(Timeout.of(after).timeoutNanos()).as("%s", after).isEqualTo(Nanos.FOREVER);
        }
    }

    @Test
    void refusesADurationOfNoLength() {
        for (Duration after : List.of(
                Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(-5), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> Timeout.of(after))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("after is " + after + ", allowed is a duration longer than zero");
        }
    }

    @Test
    void refusesToBuildWhatCannotWork() {
        assertThatThrownBy(() -> Timeout.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after is not set");
        assertThatThrownBy(() -> Timeout.builder()
                        .after(Duration.ofSeconds(1))
                        .interrupt(false)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interrupt is false, allowed is true unless the call is abandoned");
        assertThatThrownBy(() -> Timeout.builder().abandonOn(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void tellsListenersOfTimeouts() {
        VirtualTime time = VirtualTime.create();
        Timeout timeout = Timeout.builder()
                .name("attempt")
                .time(time.time())
                .after(Duration.ofMillis(5))
                .build();
        timeout.onTimeout(1);
        List<Event> events = new ArrayList<>();
        timeout.events().subscribe(events::add);
        timeout.onTimeout(42);
        assertThat(events)
                .containsExactly(new Event.TimedOut(new Event.Stamp("attempt", 42, time.wallTime()), 5_000_000));
    }

    @Test
    void describesItself() {
        assertThat(Timeout.of(Duration.ofMillis(800)).describe()).isEqualTo("after PT0.8S, interrupts");
        Timeout.Builder abandoning =
                Timeout.builder().after(Duration.ofSeconds(2)).abandon();
        assertThat(abandoning.build().describe()).isEqualTo("after PT2S, interrupts and abandons");
        assertThat(abandoning.interrupt(false).build().describe()).isEqualTo("after PT2S, abandons");
        assertThat(Timeout.builder()
                        .name("attempt")
                        .after(Duration.ofSeconds(1))
                        .build())
                .hasToString("timeout 'attempt'");
    }
}
