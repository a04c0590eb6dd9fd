package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same scenarios in every mode, in both kinds of time. */
@Timeout(60)
class GuardedTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    record Setting(Mode mode, VirtualTime time) {
        Guarded guard(Pipeline pipeline, ScriptedDependency dependency) {
            return mode.guard(pipeline, time, dependency);
        }

        ScriptedDependency dependency() {
            return ScriptedDependency.on(time);
        }
    }

    static List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            settings.add(new Setting(mode, VirtualTime.create()));
            settings.add(new Setting(mode, VirtualTime.manual()));
        }
        return settings;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void retriesWithTheSameBackoffsInEveryMode(Setting setting) {
        Guarded service = setting.guard(
                Pipeline.of(SimplePolicies.retry(setting.time().time(), 4, SECOND)),
                setting.dependency().fail(3).thenSucceed("ok"));
        assertThat(service.call()).isEqualTo(new Answer("ok", null, Duration.ofSeconds(6)));
        assertThat(service.dependency().calledAt())
                .containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(6));
        assertThat(setting.time().pendingTimers()).isZero();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void answersAfterTheTimeTheDependencyTakes(Setting setting) {
        Guarded service = setting.guard(
                Pipeline.of(SimplePolicies.timeout(setting.time().time(), Duration.ofSeconds(10))),
                setting.dependency().slow(Duration.ofSeconds(3), "late").succeed(1, "at once"));
        assertThat(service.call()).isEqualTo(new Answer("late", null, Duration.ofSeconds(3)));
        assertThat(service.call()).isEqualTo(new Answer("at once", null, Duration.ZERO));
        assertThat(setting.time().pendingTimers()).isZero();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void timesOutWhatHangs(Setting setting) {
        Guarded service = setting.guard(
                Pipeline.of(SimplePolicies.timeout(setting.time().time(), Duration.ofSeconds(10))),
                setting.dependency().hang().thenSucceed("ok"));
        Answer answer = service.call();
        assertThat(answer.error()).isInstanceOf(TimeoutExceededException.class);
        assertThat(answer.took()).isEqualTo(Duration.ofSeconds(10));
        assertThat(service.dependency().cancelled()).isEqualTo(1);
        assertThat(service.dependency().inFlight()).isZero();
        assertThat(service.call().value()).isEqualTo("ok");
        assertThat(setting.time().timerFailures()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void retriesWhatTimesOut(Setting setting) {
        Deadline timeout = SimplePolicies.timeout(setting.time().time(), SECOND);
        Guarded service = setting.guard(
                Pipeline.of(SimplePolicies.retry(setting.time().time(), 3, SECOND), timeout),
                setting.dependency()
                        .hang()
                        .slow(Duration.ofSeconds(5), "too late")
                        .thenSucceed("ok"));
        assertThat(service.call()).isEqualTo(new Answer("ok", null, Duration.ofSeconds(5)));
        assertThat(service.dependency().calledAt())
                .containsExactly(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(5));
        assertThat(service.dependency().cancelled()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void handsOnWhatTheDependencyThrows(Setting setting) {
        IOException checked = new IOException("of a test");
        StackOverflowError error = new StackOverflowError("of a test");
        Guarded service = setting.guard(
                Pipeline.of(),
                setting.dependency().fail(1, () -> checked).fail(1, () -> error).fail(1));
        assertThat(service.call().error()).isSameAs(checked);
        assertThat(service.call().error()).isSameAs(error);
        assertThat(service.call().error()).isInstanceOf(ScriptedFailure.class).hasMessageContaining("call 3");
        assertThat(service.call().error()).isInstanceOf(AssertionError.class).hasMessageContaining("only 3 answers");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void keepsSeveralCallsInFlight(Mode mode) {
        VirtualTime time = VirtualTime.manual();
        Guarded service = mode.guard(
                Pipeline.of(),
                time,
                ScriptedDependency.on(time)
                        .slow(Duration.ofSeconds(3), "third")
                        .slow(Duration.ofSeconds(1), "first")
                        .slow(Duration.ofSeconds(2), "second"));
        List<GuardedCall> calls = service.start(3);
        assertThat(service.dependency().inFlight()).isEqualTo(3);
        time.advance(Duration.ofMillis(1_500));
        assertThat(calls).extracting(GuardedCall::isDone).containsExactly(false, true, false);
        assertThat(calls.get(0).answer()).isEqualTo(new Answer("third", null, Duration.ofSeconds(3)));
        assertThat(calls.get(2).answer()).isEqualTo(new Answer("second", null, Duration.ofSeconds(2)));
        assertThat(service.dependency().maxInFlight()).isEqualTo(3);
        assertThat(service.dependency().inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void cancelsACall(Mode mode) {
        VirtualTime time = VirtualTime.manual();
        Guarded service = mode.guard(
                Pipeline.of(SimplePolicies.retry(time.time(), 3, SECOND)),
                time,
                ScriptedDependency.on(time).fail(1).hang().thenSucceed("not reached"));
        GuardedCall call = service.start();
        time.advance(SECOND);
        assertThat(service.dependency().inFlight()).isEqualTo(1);
        call.cancel();
        assertThat(call.isDone()).isTrue();
        assertThat(call.answer().cancelled()).isTrue();
        assertThat(service.dependency().cancelled()).isEqualTo(1);
        time.advance(Duration.ofMinutes(1));
        assertThat(service.dependency().calls()).isEqualTo(2);
        assertThat(time.pendingTimers()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aDeafCallGoesOnWhenItIsCancelled(Mode mode) {
        VirtualTime time = VirtualTime.manual();
        Guarded service = mode.guard(
                Pipeline.of(),
                time,
                ScriptedDependency.on(time)
                        .slowAndDeaf(Duration.ofSeconds(3), "late")
                        .hangAndDeaf());
        GuardedCall slow = service.start();
        GuardedCall hanging = service.start();
        slow.cancel();
        hanging.cancel();
        assertThat(service.dependency().cancelled()).isEqualTo(2);
        assertThat(service.dependency().inFlight()).isEqualTo(2);
        time.advance(Duration.ofSeconds(3));
        assertThat(service.dependency().inFlight()).isEqualTo(1);
        service.dependency().answerAll("at last");
        assertThat(service.dependency().inFlight()).isZero();
        assertThat(hanging.isDone()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void answersHangingCallsFromOutside(Mode mode) {
        VirtualTime time = VirtualTime.manual();
        IOException failure = new IOException("of a test");
        Guarded service = mode.guard(
                Pipeline.of(),
                time,
                ScriptedDependency.on(time)
                        .slow(Duration.ofHours(1), "by script")
                        .thenHang());
        List<GuardedCall> answered = service.start(2);
        time.advance(SECOND);
        service.dependency().answerAll("late");
        assertThat(answered).allMatch(GuardedCall::isDone);
        assertThat(answered.get(1).answer()).isEqualTo(new Answer("late", null, SECOND));
        assertThat(time.pendingTimers()).isZero();

        GuardedCall failed = service.start();
        service.dependency().failAll(failure);
        assertThat(failed.answer()).isEqualTo(new Answer(null, failure, Duration.ZERO));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"COMPLETE_STAGE", "PENDING_STAGE"})
    void saysSoWhenACallCannotEnd(Mode mode) {
        VirtualTime time = VirtualTime.create();
        Guarded service =
                mode.guard(Pipeline.of(), time, ScriptedDependency.on(time).thenHang());
        assertThatIllegalStateException().isThrownBy(service::call).withMessageContaining("nothing is left to happen");
    }

    @Test
    void blockingCallsInFlightNeedAManualTime() {
        VirtualTime time = VirtualTime.create();
        Guarded service = ScriptedDependency.on(time).thenSucceed("ok").guardedBy();
        assertThatIllegalStateException().isThrownBy(service::start).withMessageContaining("VirtualTime.manual()");
    }

    @Test
    void manyRetriesNeedNoStack() {
        VirtualTime time = VirtualTime.create();
        Guarded service = Mode.PENDING_STAGE.guard(
                Pipeline.of(SimplePolicies.retry(time.time(), 100_000, Duration.ZERO)),
                time,
                ScriptedDependency.on(time).thenFail());
        assertThat(service.call().error()).hasMessageContaining("call 100000 ");
        assertThat(time.elapsed()).isZero();
    }

    @Test
    void namesTheModeInWhichAScenarioFails() {
        List<Mode> seen = new ArrayList<>();
        Mode.inEvery(seen::add);
        assertThat(seen).containsExactly(Mode.values());
        assertThatThrownBy(() -> Mode.inEvery(mode -> assertThat(mode).isNotEqualTo(Mode.PENDING_STAGE)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in mode PENDING_STAGE");
    }
}
