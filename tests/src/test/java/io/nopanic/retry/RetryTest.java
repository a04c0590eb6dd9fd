package io.nopanic.retry;

import static io.nopanic.events.Event.GiveUpReason.ATTEMPTS_EXHAUSTED;
import static io.nopanic.events.Event.GiveUpReason.TIME_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Event;
import io.nopanic.spi.Repetition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often and when a retry makes a call again, and what it tells. */
class RetryTest extends RetryScene {

    // ------------------------------------------------------------------------------------------------- how often, when

    @Test
    void makesThreeAttemptsByDefaultWithFullJitterFromOneHundredMilliseconds() {
        Run run = new Run(builder().random(always(0.5)).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(3);
        assertThat(run.delays).containsExactly(ms(50), ms(100));
        assertThat(run.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void drawsFreshRandomNumbersByDefault() {
        Retry retry = builder().noBudget().attempts(1000).build();
        assertThat(IntStream.range(0, 50).mapToObj(i -> retry.delayNanos(attempt(12, FAILURE))))
                .doesNotHaveDuplicates()
                .allSatisfy(delay -> assertThat(delay).isBetween(0L, 30_000_000_000L));
    }

    @Test
    void returnsAGoodResultWithoutFurtherAttempts() {
        Run run = new Run(builder().build());
        assertThat(run.call(attempt -> "good")).isEqualTo("good");
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.events).isEmpty();
    }

    @Test
    void makesOneAttemptOnlyIfToldSo() {
        Run run = new Run(builder().attempts(1).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(1);
    }

    @Test
    void goesOnWithoutLimitIfToldSo() {
        Run run = new Run(
                builder().unlimitedAttempts().noBudget().backoff(Backoff.none()).build());
        assertThat(run.call(attempt -> attempt <= 5 ? FAILURE : "sixth")).isEqualTo("sixth");
        Retry retry = builder().unlimitedAttempts().noBudget().build();
        assertThat(retry.delayNanos(attempt(Integer.MAX_VALUE - 1, FAILURE))).isNotNegative();
        assertThat(retry.delayNanos(attempt(Integer.MAX_VALUE, FAILURE))).isEqualTo(Repetition.DONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MIN_VALUE})
    void refusesANumberOfAttemptsThatMakesNoSense(int attempts) {
        assertThatThrownBy(() -> builder().attempts(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempts is " + attempts
                        + ", allowed is a whole number of at least 1, or unlimitedAttempts()");
    }

    @Test
    void refusesDurationsThatMakeNoSense() {
        for (Duration duration : List.of(Duration.ZERO, ms(-1))) {
            assertThatThrownBy(() -> builder().maxDuration(duration))
                    .hasMessageContaining("maxDuration is " + duration);
        }
        assertThatThrownBy(() -> builder().retryAfterCap(ms(-1))).hasMessageContaining("retryAfterCap is PT-0.001S");
    }

    @Test
    void endsWithTheListOfDelays() {
        Run run =
                new Run(builder().attempts(10).backoff(Backoff.of(ms(1), ms(2))).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.delays).containsExactly(ms(1), ms(2));
        assertThat(run.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void startsEveryCallAtTheBeginningOfTheBackoff() throws Exception {
        Retry retry = builder()
                .attempts(4)
                .backoff(Backoff.exponential(ms(100)))
                .noBudget()
                .build();
        Run outer = new Run(retry);
        Run inner = new Run(retry);
        Object result = outer.call(attempt -> {
            if (attempt == 2) {
                assertThat(inner.failing()).isSameAs(FAILURE);
            }
            return FAILURE;
        });
        assertThat(result).isSameAs(FAILURE);
        assertThat(outer.delays).containsExactly(ms(100), ms(200), ms(400));
        assertThat(inner.delays).containsExactly(ms(100), ms(200), ms(400));

        CyclicBarrier together = new CyclicBarrier(2);
        List<Run> runs = List.of(new Run(retry), new Run(retry));
        List<Thread> threads = new ArrayList<>();
        for (Run run : runs) {
            Thread thread = new Thread(() -> run.call(attempt -> {
                together.await();
                return FAILURE;
            }));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(runs).allSatisfy(run -> assertThat(run.delays).containsExactly(ms(100), ms(200), ms(400)));
    }

    @Test
    void feedsThePreviousDelayToTheBackoff() {
        Run run = new Run(builder()
                .attempts(4)
                .backoff(Backoff.decorrelatedJitter(ms(100), Duration.ofSeconds(30)))
                .random(always(Math.nextDown(1.0)))
                .build());
        run.failing();
        assertThat(run.delays).containsExactly(ms(300), ms(900), ms(2700));
    }

    // -------------------------------------------------------------------------------------------------- limits of time

    @Test
    void startsNoAttemptThatWouldBeginAfterItsMaxDuration() {
        Run run = new Run(builder()
                .attempts(10)
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(400)))
                .build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.delays).containsExactly(ms(400), ms(400));
        assertThat(run.elapsed()).isEqualTo(ms(800));
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void countsTheTimeOfTheAttemptsThemselves() {
        Run run = new Run(builder()
                .attempts(10)
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(100)))
                .build());
        run.takes = ms(350);
        run.failing();
        assertThat(run.attempts).isEqualTo(3);
        assertThat(run.elapsed()).isEqualTo(ms(1250));
    }

    @Test
    void acceptsADelayLongerThanTheMaxDurationAndOtherUnits() {
        Run longer = new Run(builder()
                .maxDuration(ms(500))
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .build());
        assertThat(longer.failing()).isSameAs(FAILURE);
        assertThat(longer.attempts).isEqualTo(1);
        Run shorter = new Run(builder()
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(500)))
                .build());
        shorter.failing();
        assertThat(shorter.attempts).isEqualTo(2);
        Run nanos = new Run(builder()
                .maxDuration(Duration.ofNanos(901_000))
                .backoff(Backoff.fixed(Duration.ofNanos(900_000)))
                .build());
        nanos.failing();
        assertThat(nanos.attempts).isEqualTo(2);
        Run huge = new Run(builder().maxDuration(HUGE).build());
        huge.failing();
        assertThat(huge.attempts).isEqualTo(3);
    }

    @Test
    void startsNoAttemptThatTheDeadlineAroundItWouldEndBeforeItBegins() {
        Retry retry = builder().backoff(Backoff.fixed(ms(100))).build();
        assertThat(retry.delayNanos(attempt(1, FAILURE, ms(101)))).isEqualTo(ms(100).toNanos());
        Run run = new Run(retry);
        run.remaining = ms(100);
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void startsNoAttemptWithoutDelayWhenNoTimeIsLeft() {
        Retry retry = builder().backoff(Backoff.none()).build();
        for (Duration remaining : List.of(Duration.ZERO, ms(-1))) {
            assertThat(retry.delayNanos(attempt(1, FAILURE, remaining))).isEqualTo(Repetition.DONE);
        }
    }

    @Test
    void givesUpAtOnceWhenTheHintIsLongerThanTheTimeLeft() {
        Run run = new Run(builder().maxDuration(Duration.ofSeconds(5)).build());
        Hinted failure = new Hinted(Duration.ofSeconds(10));
        assertThat(run.call(attempt -> failure)).isSameAs(failure);
        assertThat(run.elapsed()).isZero();
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void measuresElapsedTimeOnlyIfThatIsLimited() {
        assertThat(builder().build().measuresElapsed()).isFalse();
        assertThat(builder().maxDuration(ms(1)).build().measuresElapsed()).isTrue();
    }

    // ---------------------------------------------------------------------------------------------------------- events

    @Test
    void tellsEveryAttemptAndTheEnd() {
        Run run = new Run(
                builder().name("billing").backoff(Backoff.exponential(ms(100))).build());
        run.failing();
        assertThat(run.events).hasSize(3);
        Event.RetryScheduled first = (Event.RetryScheduled) run.events.get(0);
        assertThat(first.name()).isEqualTo("billing");
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.delayNanos()).isEqualTo(ms(100).toNanos());
        assertThat(first.error()).isSameAs(FAILURE);
        Event.RetryScheduled second = (Event.RetryScheduled) run.events.get(1);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.stamp().nanos() - first.stamp().nanos()).isEqualTo(ms(100).toNanos());
        Event.RetryGaveUp last = (Event.RetryGaveUp) run.events.get(2);
        assertThat(last.attempts()).isEqualTo(3);
        assertThat(last.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void endsEveryCallThatIsNotGoodWithExactlyOneEvent() {
        Retry retry =
                builder().noBudget().attempts(2).retryOnResult(Objects::isNull).build();
        List<Event> gaveUp = new ArrayList<>();
        retry.events().subscribe(Event.RetryGaveUp.class, gaveUp::add);
        Object[] outcomes = {
            FAILURE, new StackOverflowError(), new InterruptedException(), new Refused(-1), null, "good"
        };
        for (Object outcome : outcomes) {
            new Run(retry).call(attempt -> outcome);
        }
        assertThat(gaveUp).hasSize(outcomes.length - 1);
    }

    @Test
    void describesItself() {
        assertThat(Retry.withDefaults().describe())
                .isEqualTo("3 attempts; exponential from PT0.1S by 2.0, at most PT30S, full jitter; "
                        + "hints followed up to PT1M; "
                        + "budget of 20 % of the calls of the last PT10S plus 10 per second");
        assertThat(builder()
                        .unlimitedAttempts()
                        .maxDuration(Duration.ofSeconds(5))
                        .backoff(Backoff.none())
                        .retryAfterCap(Duration.ZERO)
                        .noBudget()
                        .build()
                        .describe())
                .isEqualTo("unlimited attempts within PT5S; no delay; hints ignored; no budget");
        assertThat(Retry.ofAttempts(7).attempts()).isEqualTo(7);
        assertThat(builder().name("billing").build()).hasToString("retry 'billing'");
    }
}
