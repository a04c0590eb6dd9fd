package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScriptedDependencyTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    @Test
    void answersLineByLine() throws Exception {
        ScriptedDependency dependency = ScriptedDependency.on(time)
                .succeed(2, "a")
                .fail(1)
                .succeed(1, null)
                .thenSucceed("z");
        assertThat(dependency.call()).isEqualTo("a");
        assertThat(dependency.call()).isEqualTo("a");
        assertThatThrownBy(dependency::call).isInstanceOf(ScriptedFailure.class);
        assertThat(dependency.call()).isNull();
        assertThat(dependency.call()).isEqualTo("z");
        assertThat(dependency.call()).isEqualTo("z");
        assertThat(dependency.calls()).isEqualTo(6);
    }

    @Test
    void failsAndIsSlowByTheClock() throws Exception {
        time.advance(Duration.ofSeconds(100));
        ScriptedDependency dependency = ScriptedDependency.on(time)
                .between(Duration.ofSeconds(10), Duration.ofSeconds(20))
                .fail()
                .between(Duration.ofSeconds(15), Duration.ofSeconds(30))
                .slow(SECOND, "slow")
                .succeed(1, "line")
                .thenSucceed("ok");
        time.advance(Duration.ofSeconds(10));
        assertThatThrownBy(dependency::call).isInstanceOf(ScriptedFailure.class);
        time.advance(Duration.ofSeconds(9));
        assertThatThrownBy(dependency::call).isInstanceOf(ScriptedFailure.class);
        time.advance(SECOND);
        assertThat(dependency.call()).isEqualTo("slow");
        time.advance(Duration.ofSeconds(9));
        assertThat(dependency.call()).isEqualTo("line");
        assertThat(dependency.call()).isEqualTo("ok");
    }

    @Test
    void takesVirtualTime() throws Exception {
        ScriptedDependency dependency = ScriptedDependency.on(time)
                .slow(SECOND, "slow")
                .slowFail(SECOND, () -> new IllegalStateException("of a test"))
                .thenSlow(Duration.ofMinutes(1), "later");
        assertThat(dependency.call()).isEqualTo("slow");
        assertThatIllegalStateException().isThrownBy(dependency::call);
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
        assertThat(dependency.call()).isEqualTo("later");
        assertThat(dependency.calledAt()).containsExactly(Duration.ZERO, SECOND, Duration.ofSeconds(2));
    }

    @Test
    void goesOnWithItsTimeWhenATimerFallsIntoIt() throws Exception {
        time.time().schedule(1, () -> {});
        time.time().schedule(2, () -> {});
        assertThat(ScriptedDependency.on(time).slow(SECOND, "slow").call()).isEqualTo("slow");
        assertThat(time.elapsed()).isEqualTo(SECOND);
    }

    @Test
    void stopsWhenItIsInterrupted() {
        ScriptedDependency dependency = ScriptedDependency.on(time).hang();
        Thread me = Thread.currentThread();
        time.time().schedule(1_000, me::interrupt);
        assertThatThrownBy(dependency::call).isInstanceOf(InterruptedException.class);
        assertThat(me.isInterrupted()).isFalse();
        assertThat(dependency.cancelled()).isEqualTo(1);
        assertThat(dependency.inFlight()).isZero();
    }

    @Test
    void keepsAnInterruptThatItDoesNotHeed() throws Exception {
        ScriptedDependency dependency = ScriptedDependency.on(time).slowAndDeaf(SECOND, "late");
        time.time().schedule(1_000, Thread.currentThread()::interrupt);
        assertThat(dependency.call()).isEqualTo("late");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(dependency.cancelled()).isEqualTo(1);
    }

    @Test
    void givesCompleteAndPendingStages() {
        ScriptedDependency dependency =
                ScriptedDependency.on(time).succeed(2, "ok").fail(2);
        assertThat(dependency.completeStage()).isCompletedWithValue("ok");
        CompletableFuture<Object> pending = dependency.pendingStage().toCompletableFuture();
        assertThat(pending).isNotDone();
        assertThat(dependency.inFlight()).isEqualTo(1);
        time.advance(Duration.ZERO);
        assertThat(pending).isCompletedWithValue("ok");
        assertThat(dependency.completeStage()).isCompletedExceptionally();
        pending = dependency.pendingStage().toCompletableFuture();
        time.advance(Duration.ZERO);
        assertThat(pending).isCompletedExceptionally();
        assertThat(dependency.inFlight()).isZero();
    }

    @Test
    void aCancelledStageLeavesNoTimer() {
        ScriptedDependency dependency = ScriptedDependency.on(time).thenSlow(SECOND, "late");
        CompletableFuture<Object> pending = dependency.pendingStage().toCompletableFuture();
        assertThat(pending.thenApply(value -> value).cancel(true)).isTrue();
        assertThat(dependency.cancelled()).isZero();
        assertThat(pending.cancel(true)).isTrue();
        assertThat(dependency.cancelled()).isEqualTo(1);
        assertThat(dependency.inFlight()).isZero();
        assertThat(time.pendingTimers()).isZero();
        assertThat(pending.cancel(true)).isTrue();
        assertThat(dependency.cancelled()).isEqualTo(1);
    }

    @Test
    void refusesWhatMakesNoSense() {
        ScriptedDependency dependency = ScriptedDependency.on(time).thenFail();
        assertThatIllegalStateException().isThrownBy(() -> dependency.succeed(1, "after the end"));
        assertThatIllegalStateException().isThrownBy(dependency::thenFail);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptedDependency.on(time).fail(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptedDependency.on(time).slow(Duration.ofNanos(-1), "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> dependency.between(SECOND, SECOND));
    }
}
