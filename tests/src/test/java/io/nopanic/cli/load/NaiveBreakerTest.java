package io.nopanic.cli.load;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The counter-example has to be right in what it does, or it would be none. */
class NaiveBreakerTest {

    private final VirtualTime virtual = VirtualTime.create();
    private final NaiveBreaker breaker =
            new NaiveBreaker(virtual.time(), Duration.ofSeconds(30).toNanos(), 4, 0.5);

    private void succeed() throws Exception {
        breaker.call(() -> "answer");
    }

    private void fail() {
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new IOException("down");
                }))
                .isInstanceOf(IOException.class);
    }

    @Test
    void opensWhenHalfOfTheCallsHaveFailed() throws Exception {
        succeed();
        succeed();
        fail();
        fail();

        assertThatThrownBy(this::succeed).hasMessage("the breaker is open");
    }

    @Test
    void staysClosedBelowItsMinimumOfCalls() {
        fail();
        fail();
        fail();

        assertThatCode(this::succeed).doesNotThrowAnyException();
    }

    @Test
    void forgetsWhatHasLeftTheWindow() throws Exception {
        fail();
        fail();
        fail();
        virtual.advance(Duration.ofSeconds(31));
        succeed();
        succeed();
        succeed();
        fail();

        assertThatCode(this::succeed).doesNotThrowAnyException();
    }
}
