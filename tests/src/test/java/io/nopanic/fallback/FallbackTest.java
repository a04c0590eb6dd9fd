package io.nopanic.fallback;

import static io.nopanic.CallMode.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nopanic.CallMode;
import io.nopanic.events.Event;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Substitute;
import io.nopanic.testkit.VirtualTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@EnumSource(CallMode.class)
class FallbackTest {

    @Parameter
    CallMode mode;

    private final VirtualTime time = VirtualTime.manual();

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    // ------------------------------------------------------------------------------------------------------ kinds of
    // answers

    @Test
    void aResultIsLeftAlone() throws Exception {
        assertThat(call(Fallback.ofValue("spare"), () -> "own")).isEqualTo("own");
        assertThat(call(Fallback.ofValue("spare"), () -> null)).isNull();
    }

    @Test
    void answersAFailureWithAValueWhichMayBeNull() throws Exception {
        assertThat(call(Fallback.ofValue("spare"), failing(new IOException()))).isEqualTo("spare");
        assertThat(call(Fallback.ofValue(null), failing(new IOException()))).isNull();
    }

    @Test
    void asksASupplierAnewEachTime() throws Exception {
        List<String> spares = new ArrayList<>(List.of("first", "second"));
        Fallback<String> fallback = Fallback.ofSupplier(() -> spares.remove(0));

        assertThat(call(fallback, failing(new IOException()))).isEqualTo("first");
        assertThat(call(fallback, failing(new IOException()))).isEqualTo("second");
    }

    @Test
    void makesAnAnswerFromTheFailure() throws Exception {
        Fallback<String> fallback = Fallback.ofFunction(failure -> "no: " + failure.getMessage());

        assertThat(call(fallback, failing(new IOException("down")))).isEqualTo("no: down");
    }

    @Test
    void waitsForTheStageOfAnAsynchronousFallback() throws Exception {
        Fallback<String> fallback =
                Fallback.ofStage(failure -> CompletableFuture.completedFuture("no: " + failure.getMessage()));

        assertThat(call(fallback, failing(new IOException("down")))).isEqualTo("no: down");
    }

    @Test
    void doesNotRunUserCodeWhileDeciding() {
        List<String> ran = new ArrayList<>();
        Fallback<String> fallback = Fallback.ofSupplier(() -> {
            ran.add("supplier");
            return "spare";
        });

        Substitute answer = fallback.after(null, time.nanos(), null, new IOException());

        assertThat(answer).isInstanceOf(Substitute.Compute.class);
        assertThat(ran).isEmpty();
    }

    // ---------------------------------------------------------------------------------------------------------- which
    // handler

    @Test
    void theMostSpecificTypeAnswersWhateverTheOrderOfRegistration() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .value("any")
                .value(IOException.class, "io")
                .value(FileNotFoundException.class, "missing")
                .value(Throwable.class, "all")
                .build();

        assertThat(call(fallback, failing(new FileNotFoundException()))).isEqualTo("missing");
        assertThat(call(fallback, failing(new SocketTimeoutException()))).isEqualTo("io");
        assertThat(call(fallback, failing(new IllegalStateException()))).isEqualTo("any");
        assertThat(call(fallback, failing(new StackOverflowError()))).isEqualTo("all");
    }

    static Stream<Throwable> wrappedIoExceptions() {
        Throwable io = new IOException("down");
        return Stream.of(
                io,
                new CompletionException(io),
                new ExecutionException(io),
                new CompletionException(new ExecutionException(new CompletionException(io))));
    }

    @ParameterizedTest
    @MethodSource("wrappedIoExceptions")
    void looksThroughWrappersForTheType(Throwable wrapped) throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .compute(IOException.class, failure -> "io: " + failure.getMessage())
                .build();

        assertThat(call(fallback, failing(wrapped))).isEqualTo("io: down");
    }

    @Test
    void aWrapperWithoutACauseIsItsOwnFailure() throws Exception {
        Throwable empty = new CompletionException("empty", null);
        Fallback<String> fallback = Fallback.<String>builder()
                .value(IOException.class, "io")
                .value(CompletionException.class, "wrapper")
                .build();

        assertThat(call(fallback, failing(empty))).isEqualTo("wrapper");
    }

    @Test
    void whatNoHandlerTakesComesOutAsItCame() {
        Throwable wrapped = new CompletionException(new IllegalStateException());
        Fallback<String> fallback =
                Fallback.<String>builder().value(IOException.class, "io").build();

        assertThat(catchThrowable(() -> call(fallback, failing(wrapped))))
                .isSameAs(mode == CallMode.BLOCKING ? wrapped : wrapped.getCause());
    }

    // -------------------------------------------------------------------------------------------------------- what is
    // handled

    @Test
    void answersRefusalsAndTimeoutsOfOtherPolicies() throws Exception {
        Fallback<String> fallback = Fallback.ofValue("spare");

        assertThat(call(fallback, failing(new Refused()))).isEqualTo("spare");
        assertThat(call(fallback, failing(new TimeoutExceededException("t", "p", 1))))
                .isEqualTo("spare");
    }

    static Stream<Throwable> notHandledUnlessAskedFor() {
        return Stream.of(
                new StackOverflowError(),
                new AssertionError(),
                new CancellationException(),
                new InterruptedException(),
                new CallInterruptedException("p"),
                new CompletionException(new CancellationException()));
    }

    @ParameterizedTest
    @MethodSource("notHandledUnlessAskedFor")
    void errorsAndCancellationsComeOutUnlessAskedFor(Throwable thrown) {
        Fallback<String> fallback = Fallback.<String>builder()
                .value("any")
                .value(RuntimeException.class, "runtime")
                .build();

        assertThat(catchThrowable(() -> call(fallback, failing(thrown))))
                .isSameAs(mode == CallMode.BLOCKING ? thrown : Failures.unwrap(thrown));
    }

    @Test
    void aHandlerForThrowableTakesErrorsButNotCancellations() throws Exception {
        Fallback<String> fallback =
                Fallback.<String>builder().value(Throwable.class, "all").build();
        InterruptedException interrupt = new InterruptedException();

        assertThat(call(fallback, failing(new AssertionError()))).isEqualTo("all");
        assertThat(catchThrowable(() -> call(fallback, failing(interrupt)))).isSameAs(interrupt);
    }

    @Test
    void aHandlerThatNamesACancellationTakesIt() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .value(CancellationException.class, "cancelled")
                .value(InterruptedException.class, "interrupted")
                .build();

        assertThat(call(fallback, failing(new CancellationException()))).isEqualTo("cancelled");
        assertThat(call(fallback, failing(new InterruptedException()))).isEqualTo("interrupted");
    }

    @Test
    void ignoredFailuresComeOutEvenIfAMoreSpecificHandlerExists() {
        FileNotFoundException missing = new FileNotFoundException("x");
        Fallback<String> fallback = Fallback.<String>builder()
                .value("any")
                .value(FileNotFoundException.class, "missing")
                .ignore(IOException.class)
                .build();

        assertThat(catchThrowable(() -> call(fallback, failing(missing)))).isSameAs(missing);
    }

    @Test
    void ignoresByPredicateAndTakesOneThatThrowsNotToMatch() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .value("any")
                .ignoreIf(failure -> failure.getMessage().startsWith("4"))
                .build();
        IOException notFound = new IOException("404");

        assertThat(catchThrowable(() -> call(fallback, failing(notFound)))).isSameAs(notFound);
        assertThat(call(fallback, failing(new IOException("503")))).isEqualTo("any");
        assertThat(call(fallback, failing(new IOException((String) null)))).isEqualTo("any");
    }

    @Test
    void onlyOnNarrowsWhatHasNoTypeOfItsOwn() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .value("narrow")
                .value(IllegalStateException.class, "typed")
                .onlyOn(IOException.class, AssertionError.class)
                .build();
        RuntimeException other = new IllegalArgumentException();

        assertThat(call(fallback, failing(new FileNotFoundException()))).isEqualTo("narrow");
        assertThat(call(fallback, failing(new AssertionError()))).isEqualTo("narrow");
        assertThat(call(fallback, failing(new IllegalStateException()))).isEqualTo("typed");
        assertThat(catchThrowable(() -> call(fallback, failing(other)))).isSameAs(other);
    }

    // ------------------------------------------------------------------------------------------------------------ last
    // good

    @Test
    void answersWithTheLastGoodResultUntilItIsTooOld() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .lastGood(Duration.ofMinutes(5))
                .value("none")
                .build();
        call(fallback, () -> "old");
        time.advance(Duration.ofMinutes(1));
        call(fallback, () -> "good");

        time.advance(Duration.ofMinutes(5));
        assertThat(call(fallback, failing(new IOException()))).isEqualTo("good");
        time.advance(Duration.ofNanos(1));
        assertThat(call(fallback, failing(new IOException()))).isEqualTo("none");
    }

    @Test
    void withoutAGoodResultTheNextHandlerAnswersAndWithoutOneTheFailureStands() throws Exception {
        IOException down = new IOException();
        Fallback<String> chain = Fallback.<String>builder()
                .lastGood(FileNotFoundException.class, Duration.ofMinutes(5))
                .value(IOException.class, "general")
                .build();
        Fallback<String> alone =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(5)).build();

        assertThat(call(chain, failing(new FileNotFoundException()))).isEqualTo("general");
        assertThat(catchThrowable(() -> call(alone, failing(down)))).isSameAs(down);
    }

    @Test
    void anAnswerOfTheFallbackDoesNotRenewTheLastGoodResult() throws Exception {
        Fallback<String> fallback =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(5)).build();
        call(fallback, () -> "good");
        time.advance(Duration.ofMinutes(3));
        assertThat(call(fallback, failing(new IOException()))).isEqualTo("good");
        time.advance(Duration.ofMinutes(3));

        assertThatThrownBy(() -> call(fallback, failing(new IOException()))).isInstanceOf(IOException.class);
    }

    @Test
    void theAgeOfTheLastGoodResultDoesNotFollowTheWallClock() throws Exception {
        Fallback<String> fallback =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(5)).build();
        call(fallback, () -> "good");
        time.jumpWallClock(Duration.ofDays(400));

        assertThat(call(fallback, failing(new IOException()))).isEqualTo("good");
    }

    @Test
    void anAgeLongerThanAnyClockIsForEver() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .lastGood(Duration.ofSeconds(Long.MAX_VALUE))
                .build();
        call(fallback, () -> "good");
        time.advance(Duration.ofDays(365 * 50));

        assertThat(call(fallback, failing(new IOException()))).isEqualTo("good");
    }

    @Test
    void remembersANullAndNoBadResult() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .onResult(String.class, String::isEmpty)
                .lastGood(Duration.ofMinutes(5))
                .value("none")
                .build();
        call(fallback, () -> null);
        call(fallback, () -> "");

        assertThat(call(fallback, failing(new IOException()))).isNull();
    }

    @Test
    void anOlderResultThatArrivesLateDoesNotReplaceANewerOne() {
        Fallback<String> fallback =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(5)).build();
        fallback.after(null, time.nanos() + 10, "newer", null);
        fallback.after(null, time.nanos(), "older", null);

        assertThat(fallback.after(null, time.nanos() + 10, null, new IOException()))
                .isEqualTo(new Substitute.Value("newer"));
    }

    @Test
    void theNewestOfManyConcurrentResultsIsRemembered() throws Exception {
        int threads = 4;
        int results = 5_000;
        Fallback<Long> fallback =
                Fallback.<Long>builder().lastGood(Duration.ofDays(1)).build();
        CyclicBarrier start = new CyclicBarrier(threads);
        long base = time.nanos();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int offset = t;
            running.add(CompletableFuture.runAsync(
                    () -> {
                        await(start);
                        for (long i = offset; i < (long) results * threads; i += threads) {
                            fallback.after(null, base + i, i, null);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);

        assertThat(fallback.after(null, base, null, new IOException()))
                .isEqualTo(new Substitute.Value((long) results * threads - 1));
    }

    @Test
    void twoFallbacksOfOneBuilderDoNotShareTheirMemory() throws Exception {
        Fallback.Builder<String> builder =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(5)).value("none");
        Fallback<String> first = builder.build();
        Fallback<String> second = builder.build();
        call(first, () -> "good");

        assertThat(call(second, failing(new IOException()))).isEqualTo("none");
    }

    // ------------------------------------------------------------------------------------------------------------ by
    // result

    @Test
    void aBadResultIsAnsweredByWhatNeedsNoFailure() throws Exception {
        Fallback<Integer> fallback = Fallback.<Integer>builder()
                .onResult(Integer.class, result -> result < 0)
                .compute(IOException.class, failure -> -1000)
                .value(0)
                .build();

        assertThat(call(fallback, () -> -7)).isEqualTo(0);
        assertThat(call(fallback, () -> 7)).isEqualTo(7);
        assertThat(call(fallback, () -> "of another type")).isEqualTo("of another type");
    }

    @Test
    void aResultRuleMayMakeTheAnswerItself() throws Exception {
        Fallback<Integer> fallback = Fallback.<Integer>builder()
                .onResult(Integer.class, result -> result < 0, result -> -result)
                .build();
        IOException down = new IOException();

        assertThat(call(fallback, () -> -7)).isEqualTo(7);
        assertThat(catchThrowable(() -> call(fallback, failing(down)))).isSameAs(down);
    }

    @Test
    void failuresAndBadResultsMayHaveAnswersOfTheirOwn() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .onResult(String.class, String::isEmpty)
                .compute(failure -> "failed")
                .value("was empty")
                .build();

        assertThat(call(fallback, failing(new IOException()))).isEqualTo("failed");
        assertThat(call(fallback, () -> "")).isEqualTo("was empty");
    }

    @Test
    void aNullCanBeABadResult() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .onResult(result -> result == null)
                .value("none")
                .build();

        assertThat(call(fallback, () -> null)).isEqualTo("none");
    }

    @Test
    void aResultPredicateThatThrowsLeavesTheResultAlone() throws Exception {
        Fallback<String> fallback = Fallback.<String>builder()
                .onResult(String.class, result -> {
                    throw new NoClassDefFoundError();
                })
                .value("none")
                .build();

        assertThat(call(fallback, () -> "own")).isEqualTo("own");
    }

    @Test
    void aBadResultStandsWhenNothingIsLeftToAnswerIt() throws Exception {
        Fallback<Integer> fallback = Fallback.<Integer>builder()
                .onResult(Integer.class, result -> result < 0)
                .lastGood(Duration.ofMinutes(1))
                .build();

        assertThat(call(fallback, () -> -7)).isEqualTo(-7);
    }

    // --------------------------------------------------------------------------------------------- what the fallback
    // throws

    @Test
    void whatTheFallbackThrowsComesOutAsItIsWithTheFailureAsSuppressed() {
        IOException down = new IOException("down");
        IllegalArgumentException own = new IllegalArgumentException("own");
        Fallback<String> fallback = Fallback.ofFunction(failure -> {
            throw own;
        });

        Throwable out = catchThrowable(() -> call(fallback, failing(down)));

        assertThat(out).isSameAs(own);
        assertThat(out.getSuppressed()).containsExactly(down);
    }

    @Test
    void aFallbackThatThrowsTheFailureItselfDoesNotSuppressItInItself() {
        IllegalStateException down = new IllegalStateException("down");
        Fallback<String> fallback = Fallback.<String>builder()
                .compute(IllegalStateException.class, failure -> {
                    throw failure;
                })
                .build();

        Throwable out = catchThrowable(() -> call(fallback, failing(down)));

        assertThat(out).isSameAs(down);
        assertThat(out.getSuppressed()).isEmpty();
    }

    // ---------------------------------------------------------------------------------------------------------------
    // events

    @Test
    void tellsThatItWasUsedHowAndInPlaceOfWhat() throws Exception {
        IOException down = new IOException();
        Fallback<String> fallback = Fallback.<String>builder()
                .name("rates")
                .time(time.time())
                .onResult(String.class, String::isEmpty)
                .lastGood(FileNotFoundException.class, Duration.ofMinutes(1))
                .compute(failure -> "computed")
                .supply(IllegalStateException.class, () -> "supplied")
                .computeAsync(IllegalArgumentException.class, f -> CompletableFuture.completedFuture("staged"))
                .value(ArithmeticException.class, "value")
                .lastGood(Duration.ofMinutes(1))
                .build();
        List<Event.FallbackUsed> seen = new ArrayList<>();
        fallback.events().subscribe(Event.FallbackUsed.class, seen::add);

        call(fallback, () -> "good");
        call(fallback, () -> "");
        call(fallback, failing(new FileNotFoundException()));
        call(fallback, failing(new CompletionException(down)));
        call(fallback, failing(new IllegalStateException()));
        call(fallback, failing(new IllegalArgumentException()));
        call(fallback, failing(new ArithmeticException()));

        assertThat(seen)
                .extracting(Event.FallbackUsed::kind)
                .containsExactly("last good", "last good", "function", "supplier", "stage", "value");
        assertThat(seen.get(0).error()).isNull();
        assertThat(seen.get(2).error()).isSameAs(down);
        assertThat(seen).allSatisfy(event -> {
            assertThat(event.name()).isEqualTo("rates");
            assertThat(event.stamp().nanos()).isEqualTo(time.nanos());
            assertThat(event.stamp().time()).isEqualTo(time.wallTime());
        });
    }

    @Test
    void aListenerThatThrowsDoesNotReachTheCall() throws Exception {
        Fallback<String> fallback = Fallback.ofValue("spare");
        fallback.events().subscribe(event -> {
            throw new IllegalStateException("listener");
        });

        assertThat(call(fallback, failing(new IOException()))).isEqualTo("spare");
    }

    @Test
    void saysNothingWhenItWasNotUsed() throws Exception {
        Fallback<String> fallback =
                Fallback.<String>builder().lastGood(Duration.ofMinutes(1)).build();
        List<Event> seen = new ArrayList<>();
        fallback.events().subscribe(seen::add);

        call(fallback, () -> "good");
        catchThrowable(() -> call(fallback, failing(new AssertionError())));

        assertThat(seen).isEmpty();
    }

    // -------------------------------------------------------------------------------------------------------------
    // settings

    @Test
    void refusesWhatCouldNeverAnswer() {
        assertThatThrownBy(() -> Fallback.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("handlers is none, allowed is at least one answer");
        assertThatThrownBy(() -> Fallback.builder().value("a").value("b").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value is for java.lang.Exception")
                .hasMessageContaining("never be used");
        assertThatThrownBy(() -> Fallback.builder()
                        .value(IOException.class, "a")
                        .lastGood(IOException.class, Duration.ofMinutes(1))
                        .build())
                .hasMessageContaining("last good is for java.io.IOException");
        assertThatThrownBy(() -> Fallback.builder()
                        .onResult(result -> false)
                        .compute(failure -> "a")
                        .value("b")
                        .value("c")
                        .build())
                .hasMessageContaining("never be used");
        assertThatThrownBy(() -> Fallback.builder()
                        .value(IOException.class, "a")
                        .onlyOn(IOException.class)
                        .build())
                .hasMessageContaining("onlyOn");
        assertThatThrownBy(() -> Fallback.builder()
                        .compute(failure -> "a")
                        .onResult(String.class, String::isEmpty)
                        .build())
                .hasMessageContaining("onResult");
    }

    static Stream<Duration> durationsThatAreNotPositive() {
        return Stream.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("durationsThatAreNotPositive")
    void refusesAnAgeThatIsNotPositive(Duration age) {
        assertThatThrownBy(() -> Fallback.builder().lastGood(age))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxAge is " + age);
    }

    @Test
    void readsTheClockOfAGoodCallOnlyWhenItHasTo() {
        assertThat(Fallback.ofValue("a").readsTime()).isFalse();
        assertThat(Fallback.builder().lastGood(Duration.ofNanos(1)).build().readsTime())
                .isTrue();
        assertThat(Fallback.builder()
                        .value("a")
                        .onResult(result -> false)
                        .build()
                        .readsTime())
                .isTrue();
    }

    @Test
    void saysWhetherItHidesFailuresOfEveryKindFromPoliciesAroundIt() {
        assertThat(Fallback.ofValue("a").hidesFailures()).isTrue();
        assertThat(Fallback.builder().value(Throwable.class, "a").build().hidesFailures())
                .isTrue();
        assertThat(Fallback.builder()
                        .value("a")
                        .onlyOn(FileNotFoundException.class)
                        .build()
                        .hidesFailures())
                .isFalse();
    }

    @Test
    void describesWhoAnswersWhatInTheOrderInWhichTheyAreAsked() {
        Fallback<String> fallback = Fallback.<String>builder()
                .name("rates")
                .lastGood(Duration.ofMinutes(1))
                .value("a")
                .value(IOException.class, "b")
                .ignore(IllegalStateException.class)
                .onResult(result -> result == null)
                .build();

        assertThat(fallback.describe())
                .isEqualTo("IOException: value, Exception: last good, Exception: value; ignores by 1 rule;"
                        + " bad results by 1 rule");
        assertThat(fallback).hasToString("fallback 'rates'");
    }

    private Object call(Fallback<?> fallback, Callable<?> code) throws Exception {
        return mode.call(Pipeline.builder().time(time.time()).with(fallback).build(), code);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("policy", "pipeline", "refused", UNKNOWN, null);
        }
    }
}
