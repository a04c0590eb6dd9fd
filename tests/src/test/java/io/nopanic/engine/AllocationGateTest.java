package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AllocationGateTest {

    @Test
    void aSuccessfulBlockingCallAllocatesNothing() throws Exception {
        Map<String, Double> bytesPerCall = probe();
        bytesPerCall.forEach(
                (kind, bytes) -> System.out.printf("allocation: %-30s %7.1f bytes per call%n", kind, bytes));
        assertThat(bytesPerCall)
                .containsKeys(
                        "blocking",
                        "blocking with timeouts",
                        "blocking on evidence",
                        "by hand",
                        "complete stage",
                        "pending stage");
        assertThat(bytesPerCall.get("blocking")).isLessThan(1);
        assertThat(bytesPerCall.get("blocking with timeouts")).isLessThan(1);
        assertThat(bytesPerCall.get("blocking on evidence")).isLessThan(1);
        assertThat(bytesPerCall.get("by hand")).isLessThan(90);
    }

    private static Map<String, Double> probe() {
        Map<String, Double> bytesPerCall = new TreeMap<>();
        OwnJvm.run(AllocationProbe.class).filter(line -> line.contains("=")).forEach(line -> {
            int split = line.indexOf('=');
            bytesPerCall.put(line.substring(0, split), Double.valueOf(line.substring(split + 1)));
        });
        return bytesPerCall;
    }
}
