package io.nopanic.lab.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.Reaction;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.StateTimeline;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.replay.Tally;
import java.io.IOException;
import java.util.Optional;

/** Writes the result of a replay as members of a JSON object. Times and durations are in nanoseconds; moments since 1970. */
public final class ReplayJson {

    private static final double[] COSTS = {0.1, 1, 10};
    private static final double[] QUANTILES = {50, 90, 99, 99.9, 100};

    private final JsonGenerator json;
    private final ReplayResult result;
    private final Independence independence;

    private ReplayJson(JsonGenerator json, ReplayResult result) {
        this.json = json;
        this.result = result;
        independence = new Independence(result);
    }

    /**
     * Writes it.
     *
     * @param cost what one failure that is sent costs, in wrongly refused calls
     */
    public static void write(JsonGenerator json, ReplayResult result, double cost) throws IOException {
        new ReplayJson(json, result).write(cost);
    }

    private void write(double cost) throws IOException {
        Ranking ranking = result.ranking(cost);
        facts(result.facts());
        json.writeArrayFieldStart("policies");
        for (PolicyResult policy : result.policies()) {
            policy(policy);
        }
        json.writeEndArray();
        ranking(ranking);
        strings("verdict", Verdict.of(result, ranking));
        strings("caveats", Caveats.of(result, independence));
    }

    private void facts(LogFacts facts) throws IOException {
        json.writeObjectFieldStart("log");
        json.writeNumberField("startNanos", result.survey().whole().startNanos());
        json.writeNumberField("endNanos", result.survey().whole().endNanos());
        json.writeNumberField("calls", facts.calls());
        json.writeNumberField("failures", facts.failures());
        json.writeNumberField("timeouts", facts.timeouts());
        if (facts.slowAfterNanos().isPresent()) {
            json.writeNumberField("slowAfterNanos", facts.slowAfterNanos().getAsLong());
        }
        json.writeNumberField("slow", facts.slow());
        json.writeNumberField("ignored", facts.ignored());
        json.writeNumberField("unknownDurations", facts.unknownDurations());
        number("burstiness", facts.burstiness().all());
        number("burstinessOutsideOfIncidents", facts.burstiness().healthy());
        json.writeBooleanField("incidentsAreKnown", result.survey().known());
        Survey.Criteria criteria = result.survey().criteria();
        number(
                "ordinaryFailureRate",
                criteria == null ? Double.NaN : criteria.ofAll().ordinaryFailureRate());
        number(
                "fewestFailuresOfAnIncident",
                criteria == null ? Double.NaN : criteria.ofAll().fewestFailures());
        strings("keys", result.keys());
        if (criteria != null && criteria.byKey().size() > 1) {
            json.writeArrayFieldStart("criterionByKey");
            for (Survey.Criterion criterion : criteria.byKey()) {
                json.writeStartObject();
                json.writeNumberField("ordinaryFailureRate", criterion.ordinaryFailureRate());
                json.writeNumberField("fewestFailuresOfAnIncident", criterion.fewestFailures());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeObjectFieldStart("latencyNanos");
        for (double quantile : QUANTILES) {
            String name =
                    quantile == 100 ? "max" : "p" + String.valueOf(quantile).replace(".0", "");
            if (facts.latencies().getTotalCount() == 0) {
                json.writeNullField(name);
            } else {
                json.writeNumberField(name, facts.latencies().getValueAtPercentile(quantile));
            }
        }
        json.writeEndObject();
        series(facts.series());
        json.writeEndObject();
        json.writeArrayFieldStart("incidents");
        for (LogFacts.IncidentFacts incident : facts.incidents()) {
            json.writeStartObject();
            json.writeNumberField("startNanos", incident.span().startNanos());
            json.writeNumberField("endNanos", incident.span().endNanos());
            json.writeNumberField("key", incident.key());
            json.writeNumberField("calls", incident.calls());
            json.writeNumberField("ignored", incident.ignored());
            json.writeNumberField("failures", incident.failures());
            json.writeNumberField("timeouts", incident.timeouts());
            number(
                    "slowShare",
                    facts.slowAfterNanos().isPresent()
                            ? (double) incident.slow() / Math.max(1, incident.judged())
                            : Double.NaN);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void series(LogFacts.Series series) throws IOException {
        json.writeObjectFieldStart("series");
        json.writeNumberField("startNanos", series.startNanos());
        json.writeNumberField("bucketNanos", series.bucketNanos());
        long[] calls =
                series.buckets().stream().mapToLong(LogFacts.Bucket::calls).toArray();
        long[] failures =
                series.buckets().stream().mapToLong(LogFacts.Bucket::failures).toArray();
        json.writeFieldName("calls");
        json.writeArray(calls, 0, calls.length);
        json.writeFieldName("failures");
        json.writeArray(failures, 0, failures.length);
        json.writeEndObject();
    }

    private void policy(PolicyResult policy) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", policy.spec().name());
        json.writeStringField("description", policy.spec().describe());
        strings("notes", policy.spec().notes());
        tally(policy.total());
        Optional<Interval> falseTrips = result.falseTripsPerDay(policy);
        if (falseTrips.isPresent()) {
            interval("falseTripsPerDay", falseTrips.get());
        } else {
            json.writeNullField("falseTripsPerDay");
        }
        number(
                "falseTripsPerDayIfIndependent",
                independence.falseTripsPerDay(policy).orElse(Double.NaN));
        reaction(result.reaction(policy));
        incidents(policy);
        if (result.keys().size() > 1) {
            json.writeArrayFieldStart("byKey");
            for (Tally tally : policy.byKey()) {
                json.writeStartObject();
                tally(tally);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeArrayFieldStart("states");
        for (StateTimeline.Change change : policy.timeline().changes()) {
            json.writeStartObject();
            json.writeNumberField("nanos", change.nanos());
            json.writeNumberField("key", change.key());
            json.writeStringField("state", change.state().name());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("statesLeftOut", policy.timeline().dropped());
        json.writeEndObject();
    }

    private void tally(Tally tally) throws IOException {
        json.writeNumberField("calls", tally.calls());
        json.writeNumberField("sent", tally.sent());
        json.writeNumberField("refused", tally.refused());
        json.writeNumberField("saved", tally.saved());
        json.writeNumberField("wronglyRefused", tally.wronglyRefused());
        json.writeNumberField("failures", tally.failures());
        json.writeNumberField("failuresSent", tally.failuresSent());
        json.writeNumberField("failuresSentInIncidents", tally.incidentFailuresSent());
        json.writeNumberField("trips", tally.trips());
        json.writeNumberField("falseTrips", tally.falseTrips());
        json.writeNumberField("falseTripStretches", tally.falseStretches());
        json.writeNumberField("flaps", tally.flaps());
        json.writeNumberField("probesSucceeded", tally.probesSucceeded());
        json.writeNumberField("probesFailed", tally.probesFailed());
        json.writeNumberField("openNanos", tally.openNanos());
        json.writeNumberField("halfOpenNanos", tally.halfOpenNanos());
        json.writeNumberField("savedNanos", tally.savedNanos());
        json.writeArrayFieldStart("costs");
        for (double cost : COSTS) {
            json.writeStartObject();
            json.writeNumberField("failureCost", cost);
            json.writeNumberField("per10000Calls", tally.cost(cost));
            json.writeNumberField("per10000CallsInIncidents", tally.incidentCost(cost));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void reaction(Reaction reaction) throws IOException {
        json.writeObjectFieldStart("reaction");
        json.writeNumberField("incidents", reaction.incidents());
        json.writeNumberField("detected", reaction.detected());
        json.writeNumberField("alreadyOpen", reaction.alreadyOpen());
        json.writeNumberField("missed", reaction.missed());
        quantiles("delayNanos", reaction.delayNanos());
        quantiles("delayCalls", reaction.delayCalls());
        quantiles("recoveryNanos", reaction.recoveryNanos());
        json.writeEndObject();
    }

    private void incidents(PolicyResult policy) throws IOException {
        json.writeArrayFieldStart("incidents");
        for (int i = 0; i < result.facts().incidents().size(); i++) {
            json.writeStartObject();
            json.writeBooleanField("alreadyOpen", policy.responses().isAlreadyOpen(i));
            json.writeBooleanField("detected", policy.responses().isDetected(i));
            json.writeNumberField("delayNanos", policy.responses().delayNanos(i));
            json.writeNumberField("delayCalls", policy.responses().delayCalls(i));
            json.writeNumberField("recoveryNanos", policy.responses().recoveryNanos(i));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void ranking(Ranking ranking) throws IOException {
        json.writeObjectFieldStart("ranking");
        json.writeNumberField("failureCost", ranking.cost());
        json.writeNumberField("incidents", ranking.incidents());
        json.writeArrayFieldStart("entries");
        for (Ranking.Entry entry : ranking.entries()) {
            json.writeStartObject();
            json.writeStringField(
                    "policy", result.policies().get(entry.policy()).spec().name());
            json.writeNumberField("cost", entry.cost());
            interval("interval", entry.interval());
            interval("aboveBest", entry.aboveBest());
            json.writeBooleanField("tiedWithBest", ranking.isTied(entry));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    // ---------------- small things

    private void quantiles(String name, Reaction.Quantiles quantiles) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("count", quantiles.count());
        number("median", quantiles.median());
        number("p90", quantiles.p90());
        json.writeEndObject();
    }

    private void interval(String name, Interval interval) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("from", interval.from());
        json.writeNumberField("to", interval.to());
        json.writeEndObject();
    }

    /** JSON has no NaN; what is not known is {@code null}. */
    private void number(String name, double value) throws IOException {
        if (Double.isNaN(value)) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }

    private void strings(String name, Iterable<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
