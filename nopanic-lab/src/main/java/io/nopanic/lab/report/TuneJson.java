package io.nopanic.lab.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.lab.predict.Line;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.predict.Unit;
import io.nopanic.lab.tune.BreakerChoice;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.Retries;
import io.nopanic.lab.tune.Snippet;
import io.nopanic.lab.tune.Tuning;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Writes recommendations as members of a JSON object. Durations are in nanoseconds; what is not to be set is {@code null}. */
public final class TuneJson {

    private static final double NANOS_PER_SECOND = 1e9;

    private final JsonGenerator json;

    private TuneJson(JsonGenerator json) {
        this.json = json;
    }

    /** Writes them. */
    public static void write(JsonGenerator json, Tuning tuning) throws IOException {
        new TuneJson(json).write(tuning);
    }

    private void write(Tuning tuning) throws IOException {
        json.writeNumberField("failureCost", tuning.wishes().failureCost());
        json.writeArrayFieldStart("keys");
        for (KeyTuning key : tuning.keys()) {
            json.writeStartObject();
            key(key);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("otherKeys", tuning.otherKeys());
        json.writeNumberField("otherCalls", tuning.otherCalls());
        strings("caveats", TuneWords.caveats(tuning));
    }

    private void key(KeyTuning key) throws IOException {
        json.writeStringField("key", key.key());
        json.writeNumberField("calls", key.facts().calls());
        json.writeNumberField("failures", key.facts().failures());
        json.writeNumberField("incidents", key.facts().incidents().size());
        json.writeObjectFieldStart("breaker");
        breaker(key.breaker());
        contenders(key.breaker());
        strings("why", key.breaker().why());
        json.writeEndObject();
        json.writeArrayFieldStart("byAnswer");
        for (BreakerChoice choice : key.byAnswer().values()) {
            json.writeStartObject();
            breaker(choice);
            json.writeEndObject();
        }
        json.writeEndArray();
        duration("slowAfter", key.slowAfter());
        duration("timeout", key.timeout());
        bulkhead(key.bulkhead());
        retries(key.retries());
        duration("hedge", key.hedge());
        strings("java", Snippet.java(key));
        strings("properties", Snippet.properties(key));
        predictions(key.predictions());
    }

    private void breaker(BreakerChoice choice) throws IOException {
        json.writeNumberField("failureCost", choice.failureCost());
        json.writeStringField("policy", choice.spec().name());
        json.writeStringField("description", choice.spec().describe());
        json.writeStringField("family", choice.family().name());
        json.writeStringField("certainty", choice.certainty().name());
        json.writeNumberField("incidents", choice.selection().incidents());
    }

    private void contenders(BreakerChoice choice) throws IOException {
        json.writeArrayFieldStart("families");
        for (BreakerChoice.Contender contender : choice.contenders()) {
            json.writeStartObject();
            json.writeStringField("family", contender.family().name());
            json.writeStringField("policy", contender.name());
            json.writeNumberField("cost", contender.judged().cost());
            json.writeNumberField("leftOutCost", contender.judged().leftOutCost());
            json.writeNumberField("aboveBest", contender.judged().aboveBest());
            json.writeNumberField("standardError", contender.judged().standardError());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void duration(String name, Recommendation<Duration> recommendation) throws IOException {
        json.writeObjectFieldStart(name);
        if (recommendation.value().isPresent()) {
            json.writeNumberField("nanos", recommendation.value().get().toNanos());
        } else {
            json.writeNullField("nanos");
        }
        evidence(recommendation);
    }

    private void bulkhead(Recommendation<Integer> recommendation) throws IOException {
        json.writeObjectFieldStart("bulkhead");
        if (recommendation.value().isPresent()) {
            json.writeNumberField("maxConcurrent", recommendation.value().get());
        } else {
            json.writeNullField("maxConcurrent");
        }
        evidence(recommendation);
    }

    private void retries(Recommendation<Retries> recommendation) throws IOException {
        json.writeObjectFieldStart("retry");
        if (recommendation.value().isPresent()) {
            Retries retries = recommendation.value().get();
            json.writeNumberField("attempts", retries.attempts());
            json.writeNumberField("budgetRatio", retries.budgetRatio());
        }
        evidence(recommendation);
    }

    /** The end of every recommendation. */
    private void evidence(Recommendation<?> recommendation) throws IOException {
        json.writeStringField("certainty", recommendation.certainty().name());
        json.writeNumberField("fromCalls", recommendation.calls());
        json.writeStringField("why", recommendation.why());
        json.writeEndObject();
    }

    private void predictions(List<Prediction> predictions) throws IOException {
        json.writeArrayFieldStart("predictions");
        for (Prediction prediction : predictions) {
            json.writeStartObject();
            json.writeStringField("policy", prediction.policy());
            json.writeArrayFieldStart("lines");
            for (Line line : prediction.lines()) {
                line(line);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void line(Line line) throws IOException {
        boolean time = line.unit() == Unit.SECONDS;
        double value = line.estimate().value() * (time ? NANOS_PER_SECOND : 1);
        json.writeStartObject();
        json.writeStringField("key", line.key());
        if (Double.isFinite(value)) {
            json.writeNumberField("value", value);
        } else {
            json.writeNullField("value");
        }
        json.writeStringField("unit", time ? "NANOSECONDS" : line.unit().name());
        json.writeEndObject();
    }

    private void strings(String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
