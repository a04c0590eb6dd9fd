package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryTest {

    @Test
    @Timeout(120)
    void noPermitIsLostAtWhicheverMomentMemoryRunsOut() {
        assertThat(OwnJvm.run(MemoryProbe.class, "-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB", "-Xint"))
                .containsExactly(
                        "bulkhead: ran out, lost 0", "blocking call: ran out, lost 0", "breaker: ran out, lost 0");
    }
}
