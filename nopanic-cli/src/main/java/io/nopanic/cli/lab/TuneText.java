package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.predict.Conditions;
import io.nopanic.lab.predict.Line;
import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.predict.Unit;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.BreakerChoice;
import io.nopanic.lab.tune.Certainty;
import io.nopanic.lab.tune.FailureCost;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.Retries;
import io.nopanic.lab.tune.Snippet;
import io.nopanic.lab.tune.Tuning;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Writes recommendations: first what to set, then why. */
final class TuneText {

    /** For so many keys there is everything; for more a line in a table, and the JSON. */
    private static final int KEYS_IN_FULL = 3;

    private final Screen screen;
    private final Tuning tuning;
    private final boolean costIsOpen;

    /**
     * The text.
     *
     * @param costIsOpen whether nobody said on the command line what a failure costs
     */
    TuneText(Screen screen, Tuning tuning, boolean costIsOpen) {
        this.screen = screen;
        this.tuning = tuning;
        this.costIsOpen = costIsOpen;
    }

    void print() {
        if (tuning.keys().size() > 1) {
            keys();
        }
        tuning.keys().stream().limit(KEYS_IN_FULL).forEach(this::key);
        if (tuning.keys().size() > KEYS_IN_FULL) {
            paragraph("The others are in the JSON in full, or with a log of their own.");
        }
        paragraph("A log does not answer back: every call ends as recorded, whatever a breaker would have done.");
    }

    private void paragraph(String text) {
        screen.say(text);
        screen.out().println();
    }

    private void print(Table table) {
        table.lines().forEach(screen.out()::println);
        screen.out().println();
    }

    private void keys() {
        Table table = new Table("key", "calls", "incidents", "breaker", "timeout", "bulkhead");
        for (KeyTuning key : tuning.keys()) {
            table.row(
                    key.key(),
                    Text.count(key.facts().calls()),
                    Text.count(key.facts().incidents().size()),
                    key.breaker().spec().name(),
                    value(key.timeout(), Durations::text),
                    value(key.bulkhead(), String::valueOf));
        }
        print(table);
        if (tuning.otherKeys() > 0) {
            paragraph(Text.count(tuning.otherKeys()) + " more keys with " + Text.count(tuning.otherCalls())
                    + " calls together were not looked at; the adaptive breaker with failureCost "
                    + Plain.number(tuning.wishes().failureCost()) + " suits them unseen.");
        }
    }

    // ---------------- one key

    private void key(KeyTuning key) {
        if (tuning.keys().size() > 1) {
            screen.say("---- " + key.key());
            screen.out().println();
        }
        paragraph(Text.count(key.facts().calls()) + " calls, "
                + Text.count(key.facts().failures()) + " failures, "
                + incidents(key) + ". Set this, if one failure costs as much as "
                + Plain.number(tuning.wishes().failureCost())
                + (tuning.wishes().failureCost() == 1 ? " call" : " calls") + " refused for nothing:");
        block(Snippet.java(key));
        screen.say("The breaker as properties, for --policy:");
        screen.out().println();
        block(Snippet.properties(key));
        breaker(key);
        values(key);
        if (costIsOpen) {
            answers(key);
        }
    }

    private static String incidents(KeyTuning key) {
        int count = key.facts().incidents().size();
        return Text.count(count) + (count == 1 ? " incident" : " incidents");
    }

    private void block(List<String> lines) {
        lines.forEach(line -> screen.out().println("    " + line));
        screen.out().println();
    }

    private void breaker(KeyTuning key) {
        BreakerChoice choice = key.breaker();
        paragraph("Breaker (" + choice.certainty() + "). " + String.join(" ", choice.why()));
        if (!choice.contenders().isEmpty()) {
            contenders(choice);
        }
        if (!key.predictions().isEmpty()) {
            predictions(key.predictions());
        }
    }

    private void contenders(BreakerChoice choice) {
        Table table = new Table("the best of each kind", "cost", "judged unseen", "above the best", "+-");
        for (BreakerChoice.Contender contender : choice.contenders()) {
            table.row(
                    contender.name(),
                    Text.digits(contender.judged().cost()),
                    Text.digits(contender.judged().leftOutCost()),
                    Text.digits(contender.judged().aboveBest()),
                    Text.digits(contender.judged().standardError()));
        }
        print(table);
        paragraph(
                "\"cost\": per 10,000 calls, of what was the best of its kind afterwards. \"judged unseen\": each incident with what the others"
                        + " would have chosen; only this tells what a choice is worth, for out of many one always fits the past. \"above the"
                        + " best\" and its standard error are of that.");
    }

    /** How long things take, in health and in a total outage. */
    private void predictions(List<Prediction> predictions) {
        String[] headings = new String[predictions.size() + 1];
        headings[0] = "on average";
        Map<String, String[]> rows = new LinkedHashMap<>();
        for (int i = 0; i < predictions.size(); i++) {
            headings[i + 1] = predictions.get(i).policy();
            for (Line line : predictions.get(i).lines()) {
                boolean told = line.topic() == Topic.HEALTHY
                        || (line.topic() == Topic.BAD
                                && Double.isFinite(line.estimate().value()));
                if (told && line.unit() == Unit.SECONDS) {
                    rows.computeIfAbsent(line.name(), name -> row(name, headings.length))[i + 1] =
                            PredictReport.value(line);
                }
            }
        }
        Conditions conditions = predictions.get(0).conditions();
        paragraph(
                "What formulas say, while " + Text.share(conditions.healthy()) + " of "
                        + Text.digits(conditions.callsPerSecond())
                        + " calls per second fail, and from when all do. If failures come in bursts, false trips are far more frequent.");
        Table table = new Table(headings);
        rows.values().forEach(table::row);
        print(table);
    }

    private static String[] row(String name, int length) {
        String[] row = new String[length];
        Arrays.fill(row, "-");
        row[0] = name;
        return row;
    }

    private void values(KeyTuning key) {
        value("slowAfter", key.slowAfter(), Durations::text);
        value("timeout", key.timeout(), Durations::text);
        value("bulkhead", key.bulkhead(), String::valueOf);
        value("retry", key.retries(), TuneText::text);
        value("hedge after", key.hedge(), Durations::text);
        screen.out().println();
    }

    private <T> void value(String name, Recommendation<T> recommendation, Function<T, String> text) {
        String from = recommendation.certainty() == Certainty.UNKNOWN
                ? ""
                : ", from " + Text.count(recommendation.calls()) + " calls";
        screen.say("- " + name + " " + value(recommendation, text) + " (" + recommendation.certainty() + from + "): "
                + recommendation.why() + ".");
    }

    private static <T> String value(Recommendation<T> recommendation, Function<T, String> text) {
        return recommendation.value().map(text).orElse("-");
    }

    private static String text(Retries retries) {
        return retries.attempts() == 1
                ? "not at all"
                : retries.attempts() + " attempts, budget " + Text.share(retries.budgetRatio());
    }

    private void answers(KeyTuning key) {
        paragraph("What a failure costs is not in the log. " + FailureCost.QUESTION + " Say it with --cost:");
        key.byAnswer()
                .forEach((answer, choice) -> screen.say("- " + Plain.number(answer.refusedCalls()) + " ("
                        + answer.words()
                        + "): "
                        + choice.spec().name()
                        + (choice.selection().isFounded()
                                ? ", at "
                                        + Text.digits(
                                                choice.selection().choice().cost()) + " per 10,000 calls"
                                : "")));
        screen.out().println();
    }
}
