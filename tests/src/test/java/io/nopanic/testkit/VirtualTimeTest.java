package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

    private final VirtualTime time = VirtualTime.create();

    @Test
    void runsTimersInTheOrderOfTheirMomentsThenOfScheduling() {
        List<String> ran = new ArrayList<>();
        time.time().schedule(20, () -> ran.add("third@" + time.elapsed().toNanos()));
        time.time().schedule(10, () -> ran.add("first@" + time.elapsed().toNanos()));
        time.time().schedule(10, () -> ran.add("second@" + time.elapsed().toNanos()));
        time.advance(Duration.ofSeconds(10));
        assertThat(ran).containsExactly("first@10", "second@10", "third@20");
    }
}
