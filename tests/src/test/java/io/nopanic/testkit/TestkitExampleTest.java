package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of the package's documentation, word for word. */
class TestkitExampleTest {

    @Test
    void opensAfterFiveFailuresAndRecoversAfterThirtySeconds() {
        VirtualTime time = VirtualTime.create();
        CircuitBreaker breaker = CircuitBreaker.builder().time(time.time()).build();
        Guarded service = ScriptedDependency.on(time).fail(5).thenSucceed("ok").guardedBy(breaker);
        assertThat(service.call(6).get(5).error()).isInstanceOf(CircuitOpenException.class);
        assertThat(service.callAfter(Duration.ofSeconds(30)).value()).isEqualTo("ok");
    }
}
