package io.nopanic.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {

    @TempDir
    private Path folder;

    private Scenario read(String json) throws IOException {
        Path file = folder.resolve("scenario.json");
        Files.writeString(file, json, StandardCharsets.UTF_8);
        return ScenarioReader.read(file);
    }

    @Test
    void everythingCanBeSaid() throws IOException {
        Scenario scenario = read("""
                {"name": "friday", "seed": 9, "length": "2h", "arrivals": "constant", "rate": 12.5,
                 "latency": {"median": "20ms", "sigma": 0.5}, "failureRate": "1%", "burstCalls": 3,
                 "incidents": [
                   {"start": "10m", "duration": "30s"},
                   {"start": "20m", "duration": "1m", "shape": "flap", "severity": 0.5, "period": "10s"},
                   {"start": "30m", "duration": "1m", "shape": "slow", "latency": {"median": "3s"}},
                   {"start": "40m", "duration": "1m", "shape": "burst", "burstCalls": 20}]}
                """);
        assertThat(scenario.name()).isEqualTo("friday");
        assertThat(scenario.seed()).isEqualTo(9);
        assertThat(scenario.length()).isEqualTo(Duration.ofHours(2));
        assertThat(scenario.load())
                .isEqualTo(new Scenario.Load(Arrivals.CONSTANT, 12.5, new Latency(Duration.ofMillis(20), 0.5)));
        assertThat(scenario.health()).isEqualTo(new Health(0.01, 3));
        assertThat(scenario.incidents())
                .containsExactly(
                        Incident.step(Duration.ofMinutes(10), Duration.ofSeconds(30), 1),
                        new Incident(
                                Duration.ofMinutes(20),
                                Duration.ofMinutes(1),
                                Shape.FLAP,
                                0.5,
                                Optional.empty(),
                                new Incident.Details(Duration.ofSeconds(10), 8)),
                        new Incident(
                                Duration.ofMinutes(30),
                                Duration.ofMinutes(1),
                                Shape.SLOW,
                                1,
                                Optional.of(new Latency(Duration.ofSeconds(3), 0)),
                                Incident.Details.DEFAULT),
                        new Incident(
                                Duration.ofMinutes(40),
                                Duration.ofMinutes(1),
                                Shape.BURST,
                                1,
                                Optional.empty(),
                                new Incident.Details(Duration.ofSeconds(4), 20)));
    }

    @Test
    void littleNeedsToBeSaid() throws IOException {
        Scenario scenario = read("{\"length\": \"1h\"}");
        assertThat(scenario.name()).isEqualTo("scenario.json");
        assertThat(scenario.load()).isEqualTo(new Scenario.Load(Arrivals.POISSON, 100, Latency.NONE));
        assertThat(scenario.health()).isEqualTo(Health.independent(0.005));
        assertThat(scenario.incidents()).isEmpty();
    }

    @Test
    void incidentsOfAMixComeOnTop() throws IOException {
        Scenario scenario = read(
                "{\"length\": \"10d\", \"mix\": \"long\", \"incidents\": [{\"start\": \"1s\", \"duration\": \"1s\"}]}");
        List<Incident> ofMix = Mix.LONG.incidents(100, Duration.ofDays(10), 1);
        assertThat(scenario.incidents()).hasSize(ofMix.size() + 1).containsAll(ofMix);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | length is missing, allowed is a duration such as 1h",
                "{'length': 3} | length is '3', allowed is a duration such as 100ms",
                "{'length': '1h', 'rat': 5} | rat is not known (did you mean 'rate'?); allowed are",
                "{'length': '1h', 'rate': 'fast'} | rate is 'fast', allowed is a number",
                "{'length': '1h', 'rate': 0} | rate is 0.0, allowed is a number from",
                "{'length': '1h', 'seed': 1.5} | seed is '1.5', allowed is a whole number",
                "{'length': '1h', 'failureRate': 5} | failureRate is '5', allowed is a share from 0 to 1",
                "{'length': '1h', 'arrivals': 'poison'} | arrivals is 'poison', allowed is one of poisson, constant (did you mean",
                "{'length': '1h', 'mix': 'usual'} | mix is 'usual', allowed is one of standard, healthy",
                "{'length': '1h', 'latency': '20ms'} | latency is '20ms', allowed is an object",
                "{'length': '1h', 'latency': {'sigma': 1}} | latency.median is missing",
                "{'length': '1h', 'incidents': {}} | allowed is an array of objects",
                "{'length': '1h', 'incidents': [{'start': '1m'}]} | incidents[0].duration is missing",
                "{'length': '1h', 'incidents': [{'start': '1m', 'duration': '1m', 'severity': 0}]} | incidents[0].severity is 0.0",
                "{'length': '1h', 'incidents': [{'start': '1m', 'duration': '1m', 'shape': 'slow'}]} | incidents[0].latency is missing",
                "{'length': '1h', 'incidents': [{'start': '1m', 'duration': '1m', 'period': '1s'}]} | incidents[0].period is not known",
                "{'length': '1h', 'incidents': [{'start': '2h', 'duration': '1m'}]} | start of an incident is PT2H",
                "{'length': '1h', 'length': '2h'} | Duplicate field 'length' in line 1",
                "{'length': '1h' | Unexpected end-of-input",
                "{'length': '1h'} {} | there is more after the end of the object",
                "{'length': true} | length is true, which means nothing here",
                "[] | the file has to hold one JSON object"
            })
    void whatIsWrongIsNamedWithItsPlace(String json, String complaint) {
        assertThatThrownBy(() -> read(json.replace('\'', '"')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scenario.json: ")
                .hasMessageContaining(complaint);
    }

    @Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> read("{\"a\":".repeat(50) + "1" + "}".repeat(50)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested too deep");
    }
}
