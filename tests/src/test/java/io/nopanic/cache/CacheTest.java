package io.nopanic.cache;

import static io.nopanic.CallMode.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nopanic.CallMode;
import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.RejectedException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Substitute;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One call after the other; see {@link CacheLoadsTest} for calls at the same time. */
@ParameterizedClass
@EnumSource(CallMode.class)
class CacheTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration NANO = Duration.ofNanos(1);

    @Parameter
    CallMode mode;

    private final VirtualTime time = VirtualTime.manual();
    private final Queue<Runnable> background = new ArrayDeque<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<Event.StaleServed> stale = new ArrayList<>();
    private Events.Subscription subscription = () -> {};

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    // -------------------------------------------------------------------------------------------------------- fresh
    // values

    @Test
    void answersWithTheValueUntilItsTimeToLiveIsOver() throws Exception {
        Cache<String, String> cache = cache().build();

        assertThat(call(cache, "k", () -> "first")).isEqualTo("first");
        time.advance(TTL.minus(NANO));
        assertThat(call(cache, "k", () -> "second")).isEqualTo("first");
        time.advance(NANO);
        assertThat(call(cache, "k", () -> "third")).isEqualTo("third");
        assertThat(calls).hasValue(2);
        assertThat(stale).isEmpty();
    }

    @Test
    void theTimeToLiveBeginsWhenTheCallIsOver() throws Exception {
        Cache<String, String> cache = cache().build();
        call(cache, "k", () -> {
            time.advance(TTL);
            return "slow";
        });
        time.advance(TTL.minus(NANO));

        assertThat(call(cache, "k", () -> "other")).isEqualTo("slow");
    }

    @Test
    void keysAreToldApartAndStagesShareTheValues() throws Exception {
        Cache<String, String> cache = cache().build();

        assertThat(call(cache, "a", () -> "of a")).isEqualTo("of a");
        assertThat(call(cache, "b", () -> "of b")).isEqualTo("of b");
        assertThat(call(cache, "a", () -> "again")).isEqualTo("of a");
    }

    @Test
    void aWallClockThatJumpsChangesNothing() throws Exception {
        Cache<String, String> cache = cache().build();
        call(cache, "k", () -> "first");
        time.jumpWallClock(Duration.ofDays(-400));
        assertThat(call(cache, "k", () -> "second")).isEqualTo("first");
        time.jumpWallClock(Duration.ofDays(800));
        assertThat(call(cache, "k", () -> "second")).isEqualTo("first");
    }

    @Test
    void aTimeToLiveLongerThanAnyClockIsForEver() throws Exception {
        Cache<String, String> cache = cache().ttl(Duration.ofSeconds(Long.MAX_VALUE))
                .staleIfError(Duration.ofSeconds(Long.MAX_VALUE))
                .build();
        call(cache, "k", () -> "first");
        time.advance(Duration.ofDays(365 * 50));

        assertThat(call(cache, "k", () -> "second")).isEqualTo("first");
    }

    @Test
    void keepsNoMoreValuesThanItMay() throws Exception {
        Cache<Integer, Integer> cache = Cache.<Integer, Integer>builder()
                .ttl(TTL)
                .maxSize(100)
                .time(time.time())
                .build();
        for (int i = 0; i < 10_000; i++) {
            int value = i;
            mode.call(pipeline(cache, i), () -> value);
        }

        assertThat(cache.size()).isBetween(1L, 100L);
    }

    @Test
    void holdsNoValuesThatCouldNeverBeUsedAgain() throws Exception {
        Cache<String, String> cache =
                cache().staleIfError(Duration.ofSeconds(20)).build();
        call(cache, "k", () -> "first");
        time.advance(Duration.ofSeconds(30));
        assertThat(cache.size()).isEqualTo(1);
        time.advance(Duration.ofSeconds(2));

        assertThat(cache.size()).isZero();
    }

    // ------------------------------------------------------------------------------------------------------------ null
    // rules

    @Test
    void aNullKeyLeavesTheCallAlone() throws Exception {
        Cache<String, String> cache = cache().build();

        assertThat(call(cache, null, () -> "first")).isEqualTo("first");
        assertThat(call(cache, null, () -> "second")).isEqualTo("second");
        assertThat(cache.size()).isZero();
    }

    @Test
    void aNullResultIsPassedOnAndNotKept() throws Exception {
        Cache<String, String> cache = cache().build();

        assertThat(call(cache, "k", () -> null)).isNull();
        assertThat(call(cache, "k", () -> null)).isNull();
        assertThat(calls).hasValue(2);
    }

    @Test
    void aNullResultRemovesTheOlderValue() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        call(cache, "k", () -> "first");
        time.advance(TTL);

        assertThat(call(cache, "k", () -> null)).isNull();
        assertThat(cache.size()).isZero();
    }

    // --------------------------------------------------------------------------------------------------------------
    // failures

    @Test
    void aFailingCallIsMadeOnceAndItsFailureComesOutAsItIs() {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        IOException down = new IOException();

        assertThat(catchThrowable(() -> call(cache, "k", failing(down)))).isSameAs(down);
        assertThat(calls).hasValue(1);
    }

    @Test
    void failuresAreNotKept() throws Exception {
        Cache<String, String> cache = cache().build();
        catchThrowable(() -> call(cache, "k", failing(new IOException())));

        assertThat(call(cache, "k", () -> "good")).isEqualTo("good");
    }

    @Test
    void badResultsArePassedOnAndNotKept() throws Exception {
        Cache<String, String> cache = cache().classifier(Classifier.builder()
                        .failOnResult(String.class, String::isEmpty)
                        .ignoreResult(String.class, "?"::equals)
                        .build())
                .build();

        assertThat(call(cache, "k", () -> "")).isEqualTo("");
        assertThat(call(cache, "k", () -> "?")).isEqualTo("?");
        assertThat(call(cache, "k", () -> "good")).isEqualTo("good");
    }

    // -------------------------------------------------------------------------------------------------------- stale if
    // error

    @Test
    void anExpiredValueStandsInForAFailureAsLongAsItMay() throws Exception {
        Cache<String, String> cache =
                cache().staleIfError(Duration.ofSeconds(20)).build();
        IOException down = new IOException();
        call(cache, "k", () -> "old");

        time.advance(Duration.ofSeconds(30).minus(NANO));
        assertThat(call(cache, "k", failing(down))).isEqualTo("old");
        time.advance(NANO);
        assertThat(catchThrowable(() -> call(cache, "k", failing(down)))).isSameAs(down);
        assertThat(calls).hasValue(3);
        assertThat(stale).hasSize(1);
        assertThat(stale.get(0).ageNanos())
                .isEqualTo(Duration.ofSeconds(30).minus(NANO).toNanos());
        assertThat(stale.get(0).error()).isSameAs(down);
    }

    @Test
    void theAgeOfAStandInIsMeasuredWhenTheCallIsOver() throws Exception {
        Cache<String, String> cache =
                cache().staleIfError(Duration.ofSeconds(20)).build();
        IOException down = new IOException();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(catchThrowable(() -> call(cache, "k", () -> {
                    time.advance(Duration.ofSeconds(20));
                    throw down;
                })))
                .isSameAs(down);
    }

    @Test
    void aValueThatWasRefreshedShortlyAfterItWasLoadedLivesAsLongAsAnyOther() throws Exception {
        Cache<String, String> cache = cache().ttl(Duration.ofMillis(100))
                .staleIfError(Duration.ofSeconds(20))
                .build();
        call(cache, "k", () -> "first");
        time.advance(Duration.ofMillis(900));
        call(cache, "k", () -> "second");
        time.advance(Duration.ofMillis(20_100).minus(NANO));

        assertThat(call(cache, "k", failing(new IOException()))).isEqualTo("second");
    }

    @Test
    void aRefusalByAPolicyFurtherInIsAFailedRefresh() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(call(cache, "k", failing(new Refused()))).isEqualTo("old");
    }

    @Test
    void aBadResultIsAFailedRefresh() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL)
                .classifier(Classifier.builder()
                        .failOnResult(String.class, String::isEmpty)
                        .build())
                .build();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(call(cache, "k", () -> "")).isEqualTo("old");
        assertThat(stale.get(0).error()).isNull();
    }

    static Stream<Throwable> failuresThatNoValueStandsInFor() {
        return Stream.of(
                new IllegalArgumentException("ignored"), new StackOverflowError(), new CancellationException());
    }

    @ParameterizedTest
    @MethodSource("failuresThatNoValueStandsInFor")
    void noValueStandsInForIgnoredFailuresErrorsAndCancellations(Throwable failure) throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL)
                .classifier(Classifier.builder()
                        .ignore(IllegalArgumentException.class)
                        .build())
                .build();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(catchThrowable(() -> call(cache, "k", failing(failure)))).isSameAs(failure);
        assertThat(call(cache, "k", () -> "new")).isEqualTo("new");
        assertThat(stale).isEmpty();
    }

    @Test
    void fiftyStaleAnswersAreOneFailingCall() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        IOException down = new IOException();
        call(cache, "k", () -> "old");
        time.advance(TTL);
        calls.set(0);

        for (int i = 0; i < 50; i++) {
            assertThat(call(cache, "k", failing(down))).isEqualTo("old");
            time.advance(Duration.ofMillis(10));
        }

        assertThat(calls).hasValue(1);
        assertThat(stale)
                .hasSize(50)
                .allSatisfy(event -> assertThat(event.error()).isSameAs(down));
    }

    @Test
    void triesAgainWhenThePauseIsOver() throws Exception {
        Cache<String, String> cache =
                cache().staleIfError(TTL).refreshPause(Duration.ofSeconds(2)).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);
        call(cache, "k", failing(new IOException()));

        time.advance(Duration.ofSeconds(2).minus(NANO));
        assertThat(call(cache, "k", () -> "new")).isEqualTo("old");
        time.advance(NANO);
        assertThat(call(cache, "k", () -> "new")).isEqualTo("new");
    }

    @Test
    void thePauseDoesNotMakeAValueLiveLonger() throws Exception {
        Cache<String, String> cache =
                cache().staleIfError(TTL).refreshPause(Duration.ofHours(1)).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);
        call(cache, "k", failing(new IOException()));
        time.advance(TTL);

        assertThat(call(cache, "k", () -> "new")).isEqualTo("new");
    }

    @Test
    void withoutAValueThereIsNoPause() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        catchThrowable(() -> call(cache, "k", failing(new IOException())));

        assertThat(call(cache, "k", () -> "good")).isEqualTo("good");
        assertThat(calls).hasValue(2);
    }

    // ------------------------------------------------------------------------------------------------ stale while
    // revalidate

    @Test
    void answersWithTheStaleValueAtOnceAndRefreshesItInTheBackground() throws Exception {
        Cache<String, String> cache = cache().staleWhileRevalidate(TTL).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(call(cache, "k", () -> "new")).isEqualTo("old");
        assertThat(call(cache, "k", () -> "not made")).isEqualTo("old");
        assertThat(calls).hasValue(1);
        assertThat(runBackground()).isEqualTo(1);
        assertThat(call(cache, "k", () -> "not made")).isEqualTo("new");
        assertThat(calls).hasValue(2);
        assertThat(stale).hasSize(2);
    }

    @Test
    void afterThatTimeTheCallWaitsForTheRefresh() throws Exception {
        Cache<String, String> cache = cache().staleWhileRevalidate(TTL).build();
        call(cache, "k", () -> "old");
        time.advance(TTL.plus(TTL));

        assertThat(call(cache, "k", () -> "new")).isEqualTo("new");
    }

    @Test
    void aFailedRefreshInTheBackgroundPausesToo() throws Exception {
        Cache<String, String> cache = cache().staleWhileRevalidate(TTL).build();
        IOException down = new IOException();
        call(cache, "k", () -> "old");
        time.advance(TTL);
        call(cache, "k", failing(down));
        runBackground();

        assertThat(call(cache, "k", () -> "not made")).isEqualTo("old");
        assertThat(runBackground()).isZero();
        assertThat(stale.get(1).error()).isSameAs(down);
        time.advance(Duration.ofSeconds(1));
        call(cache, "k", () -> "new");
        assertThat(runBackground()).isEqualTo(1);
        assertThat(cache.getIfFresh("k")).hasValue("new");
    }

    @Test
    void aRefreshInTheBackgroundSaysNothingOfStaleValuesItself() throws Exception {
        Cache<String, String> cache =
                cache().staleWhileRevalidate(TTL).staleIfError(TTL).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);
        call(cache, "k", failing(new IOException()));
        runBackground();

        assertThat(stale).hasSize(1);
    }

    @Test
    void aRefreshThatCannotBeStartedPausesAndBlocksNothing() throws Exception {
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        Cache<String, String> cache =
                cache().staleWhileRevalidate(TTL).executor(full).build();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(CallMode.BLOCKING.call(pipeline(cache, "k"), () -> "new")).isEqualTo("old");
        time.advance(TTL);
        assertThat(call(cache, "k", () -> "new")).isEqualTo("new");
    }

    // ------------------------------------------------------------------------------------------------------------ by
    // hand

    @Test
    void canBeFilledAskedAndEmptiedByHand() throws Exception {
        Cache<String, String> cache = cache().build();
        cache.put("a", "filled");
        cache.put("b", "filled");

        assertThat(call(cache, "a", () -> "loaded")).isEqualTo("filled");
        assertThat(cache.getIfFresh("a")).hasValue("filled");
        assertThat(cache.size()).isEqualTo(2);
        cache.invalidate("a");
        assertThat(cache.getIfFresh("a")).isEmpty();
        assertThat(cache.getIfFresh("b")).hasValue("filled");
        cache.invalidateAll();
        assertThat(cache.size()).isZero();
        cache.put("c", "filled");
        time.advance(TTL);
        assertThat(cache.getIfFresh("c")).isEmpty();
        assertThatThrownBy(() -> cache.put("c", null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aValueInvalidatedDuringItsLoadIsHandedOverAndNotKept() throws Exception {
        Cache<String, String> cache = cache().build();
        assertThat(call(cache, "k", () -> {
                    cache.invalidate("k");
                    return "outdated";
                }))
                .isEqualTo("outdated");
        assertThat(cache.getIfFresh("k")).isEmpty();

        call(cache, "k", () -> {
            cache.invalidateAll();
            return "outdated";
        });
        assertThat(cache.getIfFresh("k")).isEmpty();

        call(cache, "k", () -> {
            cache.put("k", "newer");
            return "outdated";
        });
        assertThat(cache.getIfFresh("k")).hasValue("newer");
    }

    @Test
    void anInvalidatedValueStandsInForNothing() throws Exception {
        Cache<String, String> cache = cache().staleIfError(TTL).build();
        IOException down = new IOException();
        call(cache, "k", () -> "old");
        time.advance(TTL);

        assertThat(catchThrowable(() -> call(cache, "k", () -> {
                    cache.invalidate("k");
                    throw down;
                })))
                .isSameAs(down);
    }

    @Test
    void worksWithoutAPipelineOfTheUsers() throws Exception {
        Cache<String, String> cache = cache().build();
        IOException down = new IOException();

        assertThat(catchThrowable(() -> cache.get("k", () -> {
                    throw down;
                })))
                .isSameAs(down);
        assertThat(cache.get("k", () -> null)).isNull();
        assertThat(cache.get("k", () -> "loaded")).isEqualTo("loaded");
        assertThat(cache.get("k", () -> "not made")).isEqualTo("loaded");
        assertThat(cache.getAsync("k", () -> {
                    throw new AssertionError("not made");
                }))
                .isCompletedWithValue("loaded");
    }

    // ----------------------------------------------------------------------------------------------------------------
    // keys

    @Test
    void aKeyFunctionThatThrowsFailsTheCallAndMakesNone() {
        Cache<String, String> cache = cache().build();
        IllegalStateException noKey = new IllegalStateException("no key");
        Pipeline pipeline = Pipeline.of(cache.keyedBy(() -> {
            throw noKey;
        }));

        assertThat(catchThrowable(() -> mode.call(pipeline, counted(() -> "v"))))
                .isSameAs(noKey);
        assertThat(calls).hasValue(0);
    }

    @Test
    void aKeyThatCannotBeHashedFailsTheCall() {
        IllegalStateException noHash = new IllegalStateException("no hash");
        Object key = new Object() {
            @Override
            public int hashCode() {
                throw noHash;
            }
        };
        Cache<Object, String> cache =
                Cache.<Object, String>builder().ttl(TTL).time(time.time()).build();

        assertThat(catchThrowable(() -> mode.call(pipeline(cache, key), () -> "v")))
                .isSameAs(noHash);
    }

    @Test
    void aKeyThatStopsBeingHashableCostsTheValueAndNotTheCall() throws Exception {
        boolean[] broken = new boolean[1];
        Object key = new Object() {
            @Override
            public int hashCode() {
                if (broken[0]) {
                    throw new IllegalStateException("no hash");
                }
                return 1;
            }
        };
        Cache<Object, String> cache =
                Cache.<Object, String>builder().ttl(TTL).time(time.time()).build();

        assertThat(mode.call(pipeline(cache, key), () -> {
                    broken[0] = true;
                    return "first";
                }))
                .isEqualTo("first");
        broken[0] = false;
        assertThat(mode.call(pipeline(cache, key), () -> "second")).isEqualTo("second");
        assertThat(mode.call(pipeline(cache, key), () -> "third")).isEqualTo("second");
    }

    @Test
    void aKeyThatChangesWhileItIsLoadedHangsNothing() throws Exception {
        List<String> key = new ArrayList<>(List.of("k"));
        Cache<List<String>, String> cache =
                Cache.<List<String>, String>builder().ttl(TTL).time(time.time()).build();

        assertThat(mode.call(pipeline(cache, key), () -> {
                    key.set(0, "other");
                    return "first";
                }))
                .isEqualTo("first");
        key.set(0, "k");
        assertThat(mode.call(pipeline(cache, key), () -> "second")).isEqualTo("second");
    }

    // -------------------------------------------------------------------------------------------------------------
    // recursion

    @Test
    void aLoadMayLoadOtherKeysEvenOfTheSameHash() throws Exception {
        assertThat("AaAa".hashCode()).isEqualTo("BBBB".hashCode());
        Cache<String, String> cache = cache().build();

        assertThat(call(
                        cache,
                        "AaAa",
                        () -> "a of " + call(cache, "BBBB", () -> "b of " + call(cache, "AaBB", () -> "c"))))
                .isEqualTo("a of b of c");
        assertThat(cache.getIfFresh("BBBB")).hasValue("b of c");
    }

    @Test
    void aBlockingLoadThatAsksForItsOwnKeyFailsInsteadOfWaitingForItself() throws Exception {
        Cache<String, String> cache = cache().name("users").build();

        assertThatThrownBy(() -> cache.get("k", () -> cache.get("k", () -> "never")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("asks for its own key")
                .hasMessageContaining("users");
        assertThat(cache.get("k", () -> "fine")).isEqualTo("fine");
    }

    // ---------------------------------------------------------------------------------------------------------- the
    // contract

    @Test
    void aLoadThatIsToldTwiceEndsOnce() {
        CacheCore<String> core = cache().build().core();
        Substitute.Proceed leader = (Substitute.Proceed) core.before("k", time.nanos(), true);
        @SuppressWarnings("unchecked")
        Load<String> load = (Load<String>) leader.token();

        assertThat(core.after(load, time.nanos(), "first", null)).isNull();
        assertThat(core.after(load, time.nanos(), "second", null)).isNull();
        assertThat(core.freshOrNull("k", time.nanos())).isEqualTo("first");
    }

    @Test
    void runsOnOneTimeWithItsPipeline() {
        Cache<String, String> cache = Cache.ofTtl(TTL);

        assertThat(cache.time()).hasValue(Time.system());
        assertThatThrownBy(() -> Pipeline.builder()
                        .time(time.time())
                        .with(cache.keyedBy(() -> "k"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isNamedAndDescribedAsAPolicy() {
        Cache<String, String> cache = Cache.<String, String>builder()
                .name("users")
                .ttl(TTL)
                .staleIfError(Duration.ofMinutes(5))
                .staleWhileRevalidate(Duration.ofSeconds(3))
                .maxSize(7)
                .build();

        assertThat(cache.keyedBy(() -> "k")).hasToString("cache 'users'");
        assertThat(cache.keyedBy(() -> "k").describe())
                .isEqualTo("ttl PT10S, stale if error for PT5M, stale while revalidating for PT3S,"
                        + " pause after a failed refresh PT1S, at most 7 values");
        assertThat(cache.keyedBy(() -> "k").hidesFailures()).isTrue();
        assertThat(Cache.ofTtl(TTL).keyedBy(() -> "k").hidesFailures()).isFalse();
    }

    // -------------------------------------------------------------------------------------------------------------
    // settings

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1000000H"})
    void refusesTimesThatAreNone(String duration) {
        Duration value = Duration.parse(duration);

        assertThatThrownBy(() -> Cache.builder().ttl(value)).hasMessageContaining("ttl is " + value);
        assertThatThrownBy(() -> Cache.builder().refreshPause(value)).hasMessageContaining("refreshPause is " + value);
        if (value.isNegative()) {
            assertThatThrownBy(() -> Cache.builder().staleIfError(value))
                    .hasMessageContaining("staleIfError is " + value);
            assertThatThrownBy(() -> Cache.builder().staleWhileRevalidate(value))
                    .hasMessageContaining("staleWhileRevalidate is " + value);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void refusesASizeThatIsNone(long value) {
        assertThatThrownBy(() -> Cache.builder().maxSize(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxSize is " + value);
    }

    @Test
    void refusesToBeBuiltWithoutATimeToLive() {
        assertThatThrownBy(() -> Cache.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl is not given");
    }

    @Test
    void takesTheShortestAndTheLongestTimesAndSizes() throws Exception {
        Cache<String, String> cache = cache().ttl(NANO).maxSize(Long.MAX_VALUE).build();
        call(cache, "k", () -> "first");
        assertThat(call(cache, "k", () -> "second")).isEqualTo("first");
        time.advance(NANO);
        assertThat(call(cache, "k", () -> "third")).isEqualTo("third");
    }

    // ------------------------------------------------------------------------------------------------------------------------

    private Cache.Builder<String, String> cache() {
        return Cache.<String, String>builder().ttl(TTL).time(time.time()).executor(background::add);
    }

    private Object call(Cache<String, String> cache, String key, Callable<?> code) throws Exception {
        subscription.close();
        subscription = cache.events().subscribe(Event.StaleServed.class, stale::add);
        return mode.call(pipeline(cache, key), counted(code));
    }

    private Callable<?> counted(Callable<?> code) {
        return () -> {
            calls.incrementAndGet();
            return code.call();
        };
    }

    private <K> Pipeline pipeline(Cache<K, ?> cache, K key) {
        return Pipeline.builder()
                .with(cache.keyedBy(() -> key))
                .executor(background::add)
                .build();
    }

    private int runBackground() {
        int count = 0;
        for (Runnable next = background.poll(); next != null; next = background.poll()) {
            next.run();
            count++;
        }
        return count;
    }

    private static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("policy", "pipeline", "refused", UNKNOWN, null);
        }
    }
}
