package io.nopanic.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.spi.Race;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Nanos;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgeTest {

    private static final long MS = 1_000_000;

    private final VirtualTime time = VirtualTime.manual();

    // ---------------- delay

    @Test
    void startsAnotherCopyAfterTheDelayUpToTheNumberOfHedges() {
        Hedge hedge = Hedge.builder().delay(Duration.ofMillis(50)).maxHedges(2).build();

        assertThat(hedge.nextCopyDelayNanos(0)).isEqualTo(50 * MS);
        assertThat(hedge.nextCopyDelayNanos(1)).isEqualTo(50 * MS);
        assertThat(hedge.nextCopyDelayNanos(2)).isEqualTo(Race.NEVER);
    }

    @Test
    void oneHedgeUnlessToldOtherwise() {
        Hedge hedge = Hedge.ofDelay(Duration.ofMillis(50));

        assertThat(hedge.nextCopyDelayNanos(0)).isEqualTo(50 * MS);
        assertThat(hedge.nextCopyDelayNanos(1)).isEqualTo(Race.NEVER);
        assertThat(hedge.mayStart(2, time.nanos())).isFalse();
    }

    @Test
    void keepsNanosecondsAndTakesZeroAsAtOnce() {
        assertThat(Hedge.ofDelay(Duration.ofNanos(900)).nextCopyDelayNanos(0)).isEqualTo(900);
        assertThat(Hedge.ofDelay(Duration.ZERO).nextCopyDelayNanos(0)).isZero();
    }

    @Test
    void aDelayBeyondAnyClockMeansNeverByTime() {
        assertThat(Hedge.ofDelay(Duration.ofSeconds(Long.MAX_VALUE)).nextCopyDelayNanos(0))
                .isEqualTo(Race.NEVER);
        assertThat(Hedge.builder().onlyAfterFailure().build().nextCopyDelayNanos(0))
                .isEqualTo(Race.NEVER);
        assertThat(Hedge.builder().onlyAfterFailure().build().mayStart(1, time.nanos()))
                .isTrue();
    }

    @Test
    void learnsTheDelayFromLatenciesOnceEnoughAreKnown() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(500))
                .quantile(0.9)
                .warmUp(200)
                .build();
        for (int i = 1; i <= 199; i++) {
            hedge.onWon(0, i * MS, i * MS, time.nanos());
        }
        assertThat(hedge.delay()).isEqualTo(Duration.ofMillis(500));

        hedge.onWon(0, 200 * MS, 200 * MS, time.nanos());

        assertThat(hedge.nextCopyDelayNanos(0)).isBetween(180 * MS, 180 * MS * 17 / 16 + 1);
    }

    @Test
    void goesBackToTheGivenDelayWhenNothingRecentIsKnown() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(500))
                .quantile(0.9)
                .warmUp(10)
                .build();
        for (int i = 0; i < 100; i++) {
            hedge.onWon(0, 20 * MS, 20 * MS, time.nanos());
        }
        assertThat(hedge.delay()).isLessThan(Duration.ofMillis(30));
        time.advance(Duration.ofHours(1));
        hedge.onWon(0, 20 * MS, 20 * MS, time.nanos());

        assertThat(hedge.delay()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void neverLearnsADelayBelowAMillisecond() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(500))
                .quantile(0.5)
                .warmUp(1)
                .build();
        hedge.onWon(0, 10, 10, time.nanos());

        assertThat(hedge.delay()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void hedgingDoesNotMakeTheLearnedDelayShrink() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(100))
                .quantile(0.9)
                .noBudget()
                .build();
        Random random = new Random(7);
        int hedged = 0;
        int calls = 50_000;
        for (int i = 0; i < calls; i++) {
            long original = latency(random);
            long delay = hedge.nextCopyDelayNanos(0);
            long copy = latency(random);
            boolean copyStarts = original > delay;
            if (copyStarts && delay + copy < original) {
                hedge.onWon(1, copy, delay + copy, time.nanos());
            } else {
                hedge.onWon(0, original, original, time.nanos());
            }
            hedged += copyStarts ? 1 : 0;
        }

        assertThat(hedged / (double) calls).isCloseTo(0.1, within(0.02));
    }

    @Test
    void aCopyThatReplacedAFailedOneCountsByItsOwnTime() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofSeconds(5))
                .quantile(0.5)
                .warmUp(1)
                .build();
        hedge.onWon(1, 20 * MS, 2000 * MS, time.nanos());

        assertThat(hedge.delay()).isLessThan(Duration.ofMillis(22));
    }

    // ---------------- outcomes

    @Test
    void takesASuccessAndWhatTheClassifierIgnores() {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(50))
                .classifier(Classifier.builder()
                        .ignore(IllegalArgumentException.class)
                        .failOnResult(String.class, String::isEmpty)
                        .build())
                .build();

        assertThat(hedge.accepts("good", null)).isTrue();
        assertThat(hedge.accepts(null, null)).isTrue();
        assertThat(hedge.accepts(null, new CompletionException(new IllegalArgumentException())))
                .isTrue();
        assertThat(hedge.accepts("", null)).isFalse();
        assertThat(hedge.startsNextAfter("", null)).isTrue();
    }

    @Test
    void aFailureStartsTheNextCopyAtOnce() {
        Hedge hedge = Hedge.ofDelay(Duration.ofMillis(50));

        for (Throwable failure :
                List.of(new IOException(), new TimeoutExceededException("t", "p", 1), new StackOverflowError())) {
            assertThat(hedge.accepts(null, failure)).isFalse();
            assertThat(hedge.startsNextAfter(null, failure)).isTrue();
        }
    }

    @Test
    void aRefusedOrCancelledCopyNeitherEndsTheCallNorStartsAnother() {
        Hedge hedge = Hedge.ofDelay(Duration.ofMillis(50));

        for (Throwable end : List.of(
                new Refused(),
                new CompletionException(new Refused()),
                new CancellationException(),
                new InterruptedException())) {
            assertThat(hedge.accepts(null, end)).isFalse();
            assertThat(hedge.startsNextAfter(null, end)).isFalse();
        }
    }

    // ---------------- budget

    @Test
    void anEmptyBudgetStartsNoCopyAndSaysNothing() {
        Budget budget =
                Budget.builder().ratio(0).minPerSecond(0).time(time.time()).build();
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(50))
                .budget(budget)
                .time(time.time())
                .build();
        List<Event> seen = listen(hedge);
        hedge.onCall();

        assertThat(hedge.mayStart(1, time.nanos())).isFalse();
        assertThat(seen).isEmpty();
    }

    @Test
    void spendsFromABudgetThatOthersSpendFromToo() {
        Budget budget =
                Budget.builder().ratio(1).minPerSecond(0).time(time.time()).build();
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(50))
                .budget(budget)
                .time(time.time())
                .build();
        hedge.onCall();
        hedge.onCall();
        assertThat(budget.trySpend(time.nanos())).isTrue();

        assertThat(hedge.mayStart(1, time.nanos())).isTrue();
        assertThat(hedge.mayStart(1, time.nanos())).isFalse();
    }

    @Test
    void hasABudgetOfItsOwnUnlessToldOtherwise() {
        Hedge hedge =
                Hedge.builder().delay(Duration.ofMillis(50)).time(time.time()).build();
        int started = 0;
        for (int i = 0; i < 1000; i++) {
            hedge.onCall();
            started += hedge.mayStart(1, time.nanos()) ? 1 : 0;
        }

        assertThat(started).isEqualTo(1000 / 5 + 100);
        assertThat(Hedge.builder().delay(Duration.ZERO).noBudget().build().budget())
                .isEmpty();
    }

    // ---------------- events

    @Test
    void tellsOfCopiesStartedWinnersAndLosersThatFailed() {
        Hedge hedge = Hedge.builder()
                .name("search")
                .time(time.time())
                .delay(Duration.ofMillis(50))
                .build();
        List<Event> seen = listen(hedge);
        IOException down = new IOException();
        long now = time.nanos();

        hedge.mayStart(1, now);
        hedge.onWon(1, 7 * MS, 57 * MS, now);
        hedge.onLoserFailed(0, new CompletionException(down), now);

        Event.Stamp stamp = new Event.Stamp("search", now, time.wallTime());
        assertThat(seen)
                .containsExactly(
                        new Event.HedgeStarted(stamp, 1),
                        new Event.HedgeWon(stamp, 1, 7 * MS),
                        new Event.HedgeLoserFailed(stamp, 0, down));
    }

    @Test
    void aLoserThatEndsByBeingCancelledIsNoNews() {
        Hedge hedge = Hedge.ofDelay(Duration.ofMillis(50));
        List<Event> seen = listen(hedge);

        hedge.onLoserFailed(0, new CancellationException(), time.nanos());
        hedge.onLoserFailed(0, new CompletionException(new InterruptedException()), time.nanos());

        assertThat(seen).isEmpty();
    }

    // ---------------- settings

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -1, -0.0, 0, 1, 95})
    void refusesAQuantileThatIsNone(double value) {
        assertThatThrownBy(() -> Hedge.builder().quantile(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quantile is " + value + ", allowed is a number more than 0 and less than 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 11, Integer.MAX_VALUE})
    void refusesANumberOfHedgesOutOfBounds(int value) {
        assertThatThrownBy(() -> Hedge.builder().maxHedges(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxHedges is " + value);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1_000_001, Integer.MAX_VALUE})
    void refusesAWarmUpOutOfBounds(int value) {
        assertThatThrownBy(() -> Hedge.builder().warmUp(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("warmUp is " + value);
    }

    @Test
    void refusesANegativeDelayAndNone() {
        assertThatThrownBy(() -> Hedge.ofDelay(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay is PT-0.000000001S");
        assertThatThrownBy(() -> Hedge.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay is not given");
    }

    @Test
    void runsBlockingCopiesOnTheDefaultExecutorOrTheGivenOne() {
        assertThat(Hedge.ofDelay(Duration.ZERO).executor()).isSameAs(DefaultExecutors.blocking());
        assertThat(Hedge.builder()
                        .delay(Duration.ZERO)
                        .executor(Runnable::run)
                        .build()
                        .executor())
                .isNotSameAs(DefaultExecutors.blocking());
    }

    @Test
    void describesItsSettings() {
        assertThat(Hedge.builder()
                        .delay(Duration.ofMillis(50))
                        .noBudget()
                        .build()
                        .describe())
                .isEqualTo("up to 1 hedge after PT0.05S; no budget");
        assertThat(Hedge.builder()
                        .delay(Duration.ofMillis(50))
                        .quantile(0.95)
                        .maxHedges(2)
                        .build()
                        .describe())
                .startsWith(
                        "up to 2 hedges after the latency of quantile 0.95, at first after PT0.05S; budget of 20 %");
        assertThat(Hedge.ofDelay(Duration.ofSeconds(Long.MAX_VALUE)).delay())
                .isEqualTo(Nanos.toDuration(Nanos.FOREVER));
    }

    private static long latency(Random random) {
        return (long) (20 * MS * Math.exp(random.nextGaussian()));
    }

    private static List<Event> listen(Hedge hedge) {
        List<Event> seen = new ArrayList<>();
        hedge.events().subscribe(seen::add);
        return seen;
    }

    private static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("policy", "pipeline", "refused", UNKNOWN, null);
        }
    }
}
