package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A slow-call time that is learned from the calls that end well. */
class SlowLimitTest {

    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1000 * MILLIS;

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder() {
        return CircuitBreaker.adaptive().time(time.time()).random(new SplittableRandom(1));
    }

    private Duration slowAfter(CircuitBreaker breaker) {
        return breaker.snapshot().slowAfter().orElseThrow();
    }

    private void call(CircuitBreaker breaker, Duration takes, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            Permit permit = Pipeline.of(breaker).admit();
            time.advance(takes);
            permit.succeeded("good");
        }
    }

    /** Calls begin so far apart, and each ends well when so many more have begun. */
    private void callSteadily(CircuitBreaker breaker, Duration apart, int inFlight, int times)
            throws InterruptedException {
        Queue<Permit> out = new ArrayDeque<>();
        for (int i = 0; i < times; i++) {
            out.add(Pipeline.of(breaker).admit());
            if (out.size() > inFlight) {
                out.remove().succeeded("good");
            }
            time.advance(apart);
        }
    }

    // ---------------- the estimate

    /** How long calls take, by a number from 0 to 1. */
    enum Latencies {
        ALIKE(share -> 50),
        EVEN(share -> 100 * share),
        EXPONENTIAL(share -> -20 * Math.log1p(-share)),
        TWO_HUMPS(share -> share < 0.9 ? 10 : 200),
        LONG_TAIL(share -> 10 * Math.pow(1 - share, -1 / 1.5));

        final DoubleUnaryOperator millis;

        Latencies(DoubleUnaryOperator millis) {
            this.millis = millis;
        }

        long nanos(double share) {
            return (long) (millis.applyAsDouble(share) * MILLIS);
        }
    }

    @ParameterizedTest
    @EnumSource(Latencies.class)
    void findsTheTimeWithinWhich99Of100CallsEnd(Latencies latencies) {
        double real = latencies.nanos(0.99);
        for (int seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TailLatency tail = new TailLatency(random.split());
            for (int i = 0; i < 3000; i++) {
                tail.add(latencies.nanos(random.nextDouble()));
            }
            assertThat((double) tail.nanos()).isBetween(real * 0.5, real * 2);
            double logs = 0;
            int within = 0;
            for (int i = 0; i < 100_000; i++) {
                tail.add(latencies.nanos(random.nextDouble()));
                logs += Math.log(tail.nanos() / real);
                within += Math.abs(Math.log(tail.nanos() / real)) < Math.log(4 / 3.0) ? 1 : 0;
            }
            assertThat(within).isGreaterThan(80_000);
            assertThat(Math.exp(logs / 100_000)).isBetween(0.88, 1.15);
        }
    }

    @Test
    void saysNothingBeforeItHasSeenAThousandCalls() {
        TailLatency tail = new TailLatency(new SplittableRandom(1));
        for (int i = 0; i < TailLatency.CALLS_TO_KNOW - 1; i++) {
            tail.add(MILLIS);
        }
        assertThat(tail.nanos()).isEqualTo(-1);
        tail.add(MILLIS);
        assertThat(tail.nanos()).isBetween(MILLIS, 2 * MILLIS);
    }

    @Test
    void risesTenfoldIn48CallsAndFallsAsFarIn4700() {
        SplittableRandom random = new SplittableRandom(1);
        TailLatency tail = new TailLatency(random);
        for (int i = 0; i < 5000; i++) {
            tail.add(10 * MILLIS);
        }
        long before = tail.nanos();
        for (int i = 0; i < 48; i++) {
            tail.add(SECONDS);
        }
        assertThat((double) tail.nanos() / before).isBetween(10.0, 10.5);
        int calls = 0;
        while (tail.nanos() > before) {
            tail.add(MILLIS);
            calls++;
        }
        assertThat(calls).isBetween(3500, 6000);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void staysWithinItsBoundsWhateverTheClockSays(long tookNanos) {
        TailLatency tail = new TailLatency(new SplittableRandom(1));
        for (int i = 0; i < 20_000; i++) {
            tail.add(tookNanos);
        }
        assertThat(tail.nanos()).isBetween(1000L, 3600 * SECONDS);
    }

    // ---------------- the limit

    @Test
    void noCallIsSlowUntilEnoughCallsHaveEndedWell() throws Exception {
        CircuitBreaker breaker =
                builder().slowAfterLearned(Duration.ofSeconds(3)).build();
        call(breaker, Duration.ofMillis(50), TailLatency.CALLS_TO_KNOW - 1);
        assertThat(breaker.snapshot().slowAfter()).isEmpty();
        call(breaker, Duration.ofMillis(50), 1);
        assertThat(slowAfter(breaker)).isBetween(Duration.ofMillis(190), Duration.ofMillis(230));
    }

    @Test
    void isNotShorterThan100MillisNorLongerThanTheLongest() throws Exception {
        CircuitBreaker quick = builder().slowAfterLearned().build();
        call(quick, Duration.ofMillis(1), 2000);
        assertThat(slowAfter(quick)).isEqualTo(Duration.ofMillis(100));
        CircuitBreaker slow = builder().slowAfterLearned(Duration.ofSeconds(3)).build();
        call(slow, Duration.ofSeconds(1), 2000);
        assertThat(slowAfter(slow)).isEqualTo(Duration.ofSeconds(3));
    }

    /** Else it would find them overdue, open, find them well, close, and so on for ever. */
    @Test
    void noCallIsSlowWhereGoodCallsTakeMoreThanHalfOfTheLongest() throws Exception {
        CircuitBreaker breaker = builder().slowAfterLearned().build();
        callSteadily(breaker, Duration.ofSeconds(1), 20, 3600);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(breaker.snapshot().slowAfter()).isEmpty();
    }

    @Test
    void oneSlowCallAtTheBeginningIsOneStep() throws Exception {
        CircuitBreaker breaker = builder().slowAfterLearned().build();
        call(breaker, Duration.ofSeconds(4), 1);
        call(breaker, Duration.ofMillis(50), 1000);
        assertThat(slowAfter(breaker)).isBetween(Duration.ofMillis(190), Duration.ofMillis(250));
    }

    @Test
    void aSourceOfRandomNumbersThatThrowsIsDoneWithout() throws Exception {
        CircuitBreaker breaker = builder()
                .random(() -> {
                    throw new IllegalStateException("no numbers");
                })
                .slowAfterLearned()
                .build();
        call(breaker, Duration.ofMillis(50), 1000);
        assertThat(slowAfter(breaker)).isBetween(Duration.ofMillis(190), Duration.ofMillis(400));
        assertThat(breaker.snapshot().inFlight()).hasValue(0);
    }

    @Test
    void onlyCallsThatEndWellTeach() throws Exception {
        CircuitBreaker breaker = builder()
                .evidenceThreshold(10_000)
                .ignore(IllegalArgumentException.class)
                .slowAfterLearned()
                .build();
        call(breaker, Duration.ofMillis(50), 1000);
        Duration learned = slowAfter(breaker);
        for (int i = 0; i < 50; i++) {
            for (Throwable error : new Throwable[] {
                new IOException(), new TimeoutException(), new IllegalArgumentException(), new CancellationException()
            }) {
                Permit permit = Pipeline.of(breaker).admit();
                time.advance(Duration.ofSeconds(9));
                permit.failed(error);
            }
        }
        assertThat(slowAfter(breaker)).isEqualTo(learned);
    }

    @Test
    void itOutlivesTheClosedPeriodInWhichItWasLearned() throws Exception {
        CircuitBreaker breaker = builder().slowAfterLearned().build();
        call(breaker, Duration.ofMillis(50), 1000);
        Duration learned = slowAfter(breaker);
        breaker.reset();
        assertThat(slowAfter(breaker)).isEqualTo(learned);
    }

    @Test
    void eachBreakerOfABuilderLearnsForItself() throws Exception {
        CircuitBreakerBuilder builder = builder().slowAfterLearned();
        CircuitBreaker taught = builder.build();
        CircuitBreaker other = builder.build();
        call(taught, Duration.ofMillis(50), 1000);
        assertThat(slowAfter(taught)).isLessThan(Duration.ofMillis(250));
        assertThat(other.snapshot().slowAfter()).isEmpty();
    }

    /** 100 calls a second of 50 ms each; then every call hangs until its timeout of 30 s. Four times 50 ms and some slack, then as many overdue calls as make the evidence. */
    @Test
    void findsOutAHungDependencyThoughNobodySaidWhatIsSlow() throws Exception {
        CircuitBreaker breaker = builder().slowAfterLearned().build();
        callSteadily(breaker, Duration.ofMillis(10), 5, 2000);
        int stuck = 0;
        while (breaker.state() == CircuitState.CLOSED && stuck < 3000) {
            if (breaker.tryAcquire(time.nanos()) >= 0) {
                stuck++;
            }
            time.advance(Duration.ofMillis(10));
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(stuck).isBetween(20, 50);
    }

    /** All calls take a second where they took 50 ms. That looks like hanging, opens the breaker, and is learned from the probes and from what comes after them. */
    @Test
    void aDependencyThatIsSlowerForGoodIsNotRefusedForEver() throws Exception {
        CircuitBreaker breaker = builder().slowAfterLearned().build();
        call(breaker, Duration.ofMillis(50), 2000);
        long openTicks = 0;
        int refusedInTheEnd = 0;
        Queue<Permit> out = new ArrayDeque<>();
        Queue<Long> endTicks = new ArrayDeque<>();
        for (long tick = 0; tick < 60_000; tick++) { // ten minutes, 100 calls a second
            while (!endTicks.isEmpty() && endTicks.peek() <= tick) {
                endTicks.remove();
                out.remove().succeeded("good");
            }
            try {
                out.add(Pipeline.of(breaker).admit());
                endTicks.add(tick + 100);
            } catch (CircuitOpenException refused) {
                openTicks++;
                refusedInTheEnd += tick >= 30_000 ? 1 : 0;
            }
            time.advance(Duration.ofMillis(10));
        }
        assertThat(openTicks).isPositive();
        assertThat(refusedInTheEnd).isZero();
        assertThat(slowAfter(breaker)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(6));
    }

    // ---------------- settings

    @Test
    void whatIsNamedLastHolds() {
        assertThat(slowAfter(builder()
                        .slowAfterLearned()
                        .slowAfter(Duration.ofSeconds(1))
                        .build()))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(builder()
                        .slowAfter(Duration.ofSeconds(1))
                        .slowAfterLearned()
                        .build()
                        .snapshot()
                        .slowAfter())
                .isEmpty();
    }

    @Test
    void withoutASlowCallTimeThereIsNoneToShow() {
        assertThat(builder().build().snapshot().slowAfter()).isEmpty();
    }

    @Test
    void refusesTimesThatMakeNoSense() {
        for (Duration value : new Duration[] {
            Duration.ofNanos(1), Duration.ofMillis(199), Duration.ofHours(1).plusNanos(1)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder().slowAfterLearned(value))
                    .withMessage("slowAfterLearned is " + value + ", allowed is 200 ms to 1 h");
        }
        assertThatNullPointerException()
                .isThrownBy(() -> builder().slowAfterLearned(null))
                .withMessage("slowAfterLearned");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().slowAfterLearned(Duration.ZERO))
                .withMessage("slowAfterLearned is PT0S, allowed is a duration longer than zero");
        builder().slowAfterLearned(Duration.ofMillis(200)).build();
        builder().slowAfterLearned(Duration.ofHours(1)).build();
    }

    @Test
    void isOnlyForOpeningOnEvidence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CircuitBreaker.builder()
                        .slowAfterLearned()
                        .slowCallRate(0.5)
                        .build())
                .withMessage("failureCost is not set, allowed is a number when slowAfterLearned is set");
    }
}
