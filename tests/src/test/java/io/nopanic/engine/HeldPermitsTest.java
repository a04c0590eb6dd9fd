package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.engine.Stubs.Gate;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldPermitsTest {

    private final Gate outer = new Gate();
    private final Gate inner = new Gate();
    private final Pipeline pipeline = Pipeline.of(outer, inner);

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void allPermitsComeBackWithTheOutcomeOnce() throws Exception {
        Permit permit = pipeline.admit();
        assertThat(outer.held).hasValue(1);
        assertThat(inner.held).hasValue(1);
        assertThat(permit.failed(new IOException())).isTrue();
        assertThat(permit.succeeded("too late")).isFalse();
        permit.close();
        assertThat(outer.endings).containsExactly("IOException");
        assertThat(inner.endings).containsExactly("IOException");
    }

    @Test
    void aClosedPermitWithoutAnOutcomeCountsAsCancelled() throws Exception {
        pipeline.admit().close();
        assertThat(outer.endings).containsExactly("CancellationException");
        assertThat(inner.endings).containsExactly("CancellationException");
    }

    @Test
    void withoutPoliciesAPermitIsSettledOnceToo() throws Exception {
        Permit permit = Pipeline.of().admit();
        assertThat(permit.succeeded("value")).isTrue();
        assertThat(permit.succeeded("value")).isFalse();
    }

    @Test
    void aPolicyThatThrowsKeepsNoPermitFurtherOut() throws Exception {
        inner.fault = new IllegalStateException("inner");
        Permit permit = pipeline.admit();
        assertThatThrownBy(() -> permit.succeeded("value")).isSameAs(inner.fault);
        assertThat(outer.endings).containsExactly("value");
        assertThat(permit.succeeded("value")).isFalse();
        assertThat(outer.held).hasValue(0);
    }

    @Test
    void aRefusalIsTheOutcomeFurtherOut() {
        inner.setting = Gate.Setting.SHUT;
        assertThatThrownBy(pipeline::admit).isInstanceOf(Stubs.Refusal.class);
        assertThat(outer.endings).containsExactly("Refusal");
        assertThat(outer.held).hasValue(0);
        assertThat(inner.endings).isEmpty();
    }

    @Test
    void anInterruptedWaitGivesBackWhatIsHeldAndKeepsTheFlag() {
        inner.setting = Gate.Setting.WAIT;
        Thread.currentThread().interrupt();
        assertThatThrownBy(pipeline::admit).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(inner.left).hasValue(1);
        assertThat(outer.endings).containsExactly("InterruptedException");
    }
}
