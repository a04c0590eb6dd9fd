package io.nopanic.lab.traffic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a {@link Scenario} from a JSON file. Strict: what it does not know is an error, and so is what is given twice. */
public final class ScenarioReader {

    private static final double DEFAULT_RATE = 100;
    private static final double DEFAULT_FAILURE_RATE = 0.005;

    private ScenarioReader() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it does not describe a scenario: where, what is there, and what is allowed
     * @throws IOException if it cannot be read
     */
    public static Scenario read(Path file) throws IOException {
        try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                JsonParser json = new JsonFactory().createParser(text)) {
            json.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            return scenario(JsonFields.read(json), String.valueOf(file.getFileName()));
        } catch (JsonParseException e) {
            throw new IllegalArgumentException(
                    file + ": " + e.getOriginalMessage() + " in line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static Scenario scenario(JsonFields fields, String fileName) {
        String name = fields.text("name").orElse(fileName);
        long seed = fields.whole("seed").orElse(1L);
        Duration length =
                fields.duration("length").orElseThrow(() -> fields.missing("length", "a duration such as 1h"));
        Scenario.Load load = fields.inContext(() -> new Scenario.Load(
                fields.oneOf("arrivals", Arrivals.values()).orElse(Arrivals.POISSON),
                fields.number("rate").orElse(DEFAULT_RATE),
                fields.object("latency").map(ScenarioReader::latency).orElse(Latency.NONE)));
        Health health = fields.inContext(() -> new Health(
                fields.share("failureRate").orElse(DEFAULT_FAILURE_RATE),
                fields.number("burstCalls").orElse(1.0)));
        List<Incident> incidents = new ArrayList<>();
        fields.oneOf("mix", Mix.values())
                .ifPresent(mix -> incidents.addAll(mix.incidents(load.perSecond(), length, seed)));
        for (JsonFields each : fields.objects("incidents")) {
            incidents.add(incident(each));
        }
        fields.refuseOthers();
        return fields.inContext(() -> new Scenario(name, seed, length, load, health, incidents));
    }

    private static Latency latency(JsonFields fields) {
        Duration median =
                fields.duration("median").orElseThrow(() -> fields.missing("median", "a duration such as 20ms"));
        double sigma = fields.number("sigma").orElse(0.0);
        fields.refuseOthers();
        return fields.inContext(() -> new Latency(median, sigma));
    }

    private static Incident incident(JsonFields fields) {
        Duration start = fields.duration("start").orElseThrow(() -> fields.missing("start", "a duration such as 10m"));
        Duration length =
                fields.duration("duration").orElseThrow(() -> fields.missing("duration", "a duration such as 30s"));
        Shape shape = fields.oneOf("shape", Shape.values()).orElse(Shape.STEP);
        double severity = fields.share("severity").orElse(1.0);
        Optional<Latency> latency = fields.object("latency").map(ScenarioReader::latency);
        Incident.Details details = fields.inContext(() -> details(fields, shape));
        fields.refuseOthers();
        return fields.inContext(() -> new Incident(start, length, shape, severity, latency, details));
    }

    private static Incident.Details details(JsonFields fields, Shape shape) {
        Incident.Details byDefault = Incident.Details.DEFAULT;
        return new Incident.Details(
                shape == Shape.FLAP ? fields.duration("period").orElse(byDefault.period()) : byDefault.period(),
                shape == Shape.BURST
                        ? fields.number("burstCalls").orElse(byDefault.burstCalls())
                        : byDefault.burstCalls());
    }
}
