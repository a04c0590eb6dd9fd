package io.nopanic.cli.demo;

import static io.nopanic.events.CircuitState.CLOSED;
import static io.nopanic.events.CircuitState.HALF_OPEN;
import static io.nopanic.events.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.events.CircuitState;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The script of the demonstration in virtual time, where its numbers have to be exact. */
class ScriptTest {

    private final VirtualTime virtual = VirtualTime.create();
    private final Script script = new Script(virtual.time(), new ScriptedDependency(virtual.time()));

    @Test
    void withoutABreakerAllThirtyCallsReachTheServer() throws InterruptedException {
        Run run = script.withoutBreaker();

        assertThat(run.reached()).isEqualTo(30);
        assertThat(run.count(MadeCall.Outcome.OK)).isEqualTo(25);
        assertThat(run.count(MadeCall.Outcome.FAILED)).isEqualTo(5);
        assertThat(run.count(MadeCall.Outcome.SHORT_CIRCUITED)).isZero();
        assertThat(signs(run)).isEqualTo("FFFFF" + "o".repeat(25));
    }

    @Test
    void withABreakerFifteenCallsReachTheServer() throws InterruptedException {
        Run run = script.withBreaker();

        assertThat(run.reached()).isEqualTo(15);
        assertThat(run.count(MadeCall.Outcome.OK)).isEqualTo(10);
        assertThat(run.count(MadeCall.Outcome.FAILED)).isEqualTo(5);
        assertThat(run.count(MadeCall.Outcome.SHORT_CIRCUITED)).isEqualTo(15);
        assertThat(signs(run)).isEqualTo("FFF-----F-----F-----" + "o".repeat(10));
    }

    @Test
    void theBreakerOpensForAHundredAndTwentyMillisecondsUntilAProbeSucceeds() throws InterruptedException {
        assertThat(script.withBreaker().changes())
                .containsExactly(
                        change(144, OPEN),
                        change(264, HALF_OPEN),
                        change(312, OPEN),
                        change(432, HALF_OPEN),
                        change(480, OPEN),
                        change(600, HALF_OPEN),
                        change(604, CLOSED));
    }

    @Test
    void theRehearsalGoesAsThePerformance() throws InterruptedException {
        Lesson lesson = Rehearsal.hold();

        assertThat(lesson.with()).isEqualTo(script.withBreaker());
        assertThat(lesson.without()).isEqualTo(script.withoutBreaker());
    }

    @Test
    void theTimesFollowFromTheScript() throws InterruptedException {
        Run without = script.withoutBreaker();
        Run with = script.withBreaker();

        assertThat(without.totalNanos()).isEqualTo(millis(820));
        assertThat(with.totalNanos()).isEqualTo(millis(820));
        assertThat(without.waitedNanos()).isEqualTo(millis(5 * 48 + 25 * 4));
        assertThat(with.waitedNanos()).isEqualTo(millis(5 * 48 + 10 * 4));
        assertThat(with.medianNanos(MadeCall.Outcome.SHORT_CIRCUITED)).isZero();
        assertThat(with.heldUpNanos()).isZero();
    }

    @Test
    void aCallThatComesLateMovesNoOther() throws InterruptedException {
        // In each open period the caller waits five times: for the second to the fifth refused call, and for the probe.
        AtomicInteger waits = new AtomicInteger();
        Time sluggish = sluggish(() -> waits.incrementAndGet() % 5 == 4 ? 23 : 0);

        Run run = new Script(sluggish, new ScriptedDependency(virtual.time())).withBreaker();

        assertThat(run.heldUpNanos()).isEqualTo(millis(23));
        assertThat(signs(run)).isEqualTo("FFF-----F-----F-----" + "o".repeat(10));
    }

    @Test
    void aRunInWhichTheMachineHeldTheCallerUpIsMadeAnew() throws InterruptedException {
        // Without a breaker the caller waits for all healthy calls but the first; then comes the last refused call of
        // the first open period.
        AtomicInteger waits = new AtomicInteger();
        Time sluggish = sluggish(() -> waits.incrementAndGet() == 24 + 4 ? 24 : 0);
        List<Long> heldUp = new ArrayList<>();

        Lesson lesson = Lesson.teach(new Script(sluggish, new ScriptedDependency(virtual.time())), heldUp::add);

        assertThat(heldUp).containsExactly(Script.SPARE_NANOS);
        assertThat(lesson.holds()).isTrue();
    }

    @Test
    void aRunThatIsWrongForAnotherReasonIsNotMadeAnew() throws InterruptedException {
        AtomicInteger outages = new AtomicInteger();
        Dependency healthy = new Dependency() {
            @Override
            public void suffer(Outage outage) {
                outages.incrementAndGet();
            }

            @Override
            public Answer fetch() {
                return new Answer("always well", false);
            }
        };

        Lesson lesson = Lesson.teach(new Script(virtual.time(), healthy), nanos -> {});

        assertThat(lesson.holds()).isFalse();
        assertThat(outages).hasValue(2);
    }

    @Test
    void theRealServerGivesTheSameNumbers() throws IOException, InterruptedException {
        try (HttpService service = HttpService.start(virtual.time())) {
            Lesson lesson = Lesson.teach(new Script(virtual.time(), service), nanos -> {});

            assertThat(lesson.holds()).isTrue();
            assertThat(signs(lesson.with())).isEqualTo("FFF-----F-----F-----" + "o".repeat(10));
            assertThat(lesson.with().totalNanos()).isEqualTo(millis(820));
        }
    }

    private interface DelayMillis {
        long next();
    }

    /** Virtual time on which waiting ends late. */
    private Time sluggish(DelayMillis delay) {
        Time exact = virtual.time();
        return Time.of(
                exact::nanos,
                exact::schedule,
                (blocker, nanos) -> exact.park(blocker, nanos + millis(delay.next())),
                exact::wallTime);
    }

    private static Run.Change change(long atMillis, CircuitState to) {
        return new Run.Change(millis(atMillis), to);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static String signs(Run run) {
        return run.calls().stream()
                .map(call -> switch (call.outcome()) {
                    case OK -> "o";
                    case FAILED -> "F";
                    case SHORT_CIRCUITED -> "-";
                })
                .collect(Collectors.joining());
    }
}
