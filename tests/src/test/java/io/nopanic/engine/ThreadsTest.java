package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadsTest {

    @Test
    void onlyTimersNeedAThreadAndItGoesAwayAfterTheLast() {
        assertThat(OwnJvm.run(ThreadsProbe.class))
                .containsSubsequence(
                        "after building: []",
                        "after calls without a timer: []",
                        "with a timer: daemon=true",
                        "when the timer has gone: []");
    }
}
