package io.nopanic.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.rules.JavaSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenPolicyTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "auto",
                "auto:0.3;close-after=5;slow-after=800ms",
                "auto:3;slow-after-learned=5s",
                "auto:3;slow-cost=2;evidence-threshold=12;expected-rate=2.5;mean-time-to-false-trip=1h",
                "auto:3;open-for=5s",
                "auto:3;open-jitter=0.1;probes=2",
                "auto:10;schedule=quadratic/2/50ms/10s",
                "nopanic",
                "r4j",
                "hystrix",
                "failsafe",
                "count:20,12.5%,10,1.5s;growth=2/30s;jitter=0.2",
                "time:30s,50,10,15s;slow-after=1s;slow-call-rate=80%;probe-timeout=3s;probe-failure-rate=0.5;probes=4",
                "consecutive:5;schedule=quadratic",
                "time:10s,50,20,5s;consecutive-failures=8"
            })
    void whatIsWrittenReadsBackToTheSamePolicyAndCompiles(String form) throws IOException {
        BreakerSpec spec = (BreakerSpec) PolicyParser.parse(form);
        Path file = folder.resolve("policy.properties");
        Files.write(file, WrittenPolicy.properties(spec), StandardCharsets.UTF_8);
        BreakerSpec read = (BreakerSpec) PolicyParser.parse(file.toString());

        assertThat(read.trip()).isEqualTo(spec.trip());
        assertThat(read.schedule()).isEqualTo(spec.schedule());
        assertThat(read.probing()).isEqualTo(spec.probing());
        assertThat(read.slowAfter()).isEqualTo(spec.slowAfter());
        assertThat(read.describe()).isEqualTo(spec.describe());

        List<String> java = new ArrayList<>(WrittenPolicy.java(spec, "orders"));
        java.set(0, "CircuitBreaker breaker = " + java.get(0));
        java.add(";");
        assertThat(JavaSources.errorsInStatements(java)).isEmpty();
    }

    @Test
    void whatTheAdaptiveBreakerDoesAnywayIsNotWritten() {
        assertThat(WrittenPolicy.properties(PolicyParser.parseLine("auto:3"))).containsExactly("failureCost=3");
        assertThat(WrittenPolicy.java(PolicyParser.parseLine("auto:0.1"), "orders"))
                .containsExactly(
                        "CircuitBreaker.adaptive()",
                        "        .name(\"orders\")",
                        "        .failureCost(0.1)",
                        "        .build()");
    }
}
