package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.report.ExpectedTime;
import io.nopanic.lab.report.RecommendedValue;
import io.nopanic.lab.report.TuneWords;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.BreakerChoice;
import io.nopanic.lab.tune.Certainty;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.Snippet;
import io.nopanic.lab.tune.Tuning;
import java.util.List;
import java.util.stream.Stream;

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
        TuneWords.caveats(tuning).forEach(this::paragraph);
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
                    key.timeout().value().map(Durations::text).orElse("-"),
                    key.bulkhead().value().map(String::valueOf).orElse("-"));
        }
        print(table);
        TuneWords.otherKeys(tuning).forEach(this::paragraph);
    }

    // ---------------- one key

    private void key(KeyTuning key) {
        if (tuning.keys().size() > 1) {
            screen.say("---- " + key.key());
            screen.out().println();
        }
        paragraph(Text.count(key.facts().calls()) + " calls, "
                + Text.count(key.facts().failures()) + " failures" + TuneWords.slowAmong(key.facts()) + ", "
                + incidents(key) + ". Set this, "
                + TuneWords.ifOneFailureCosts(tuning.wishes().failureCost()) + ":");
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
        paragraph(TuneWords.COLUMNS);
    }

    /** How long things take, in health and in a total outage. */
    private void predictions(List<Prediction> predictions) {
        Table table = new Table(
                Stream.concat(Stream.of("on average"), predictions.stream().map(Prediction::policy))
                        .toArray(String[]::new));
        for (ExpectedTime time : ExpectedTime.of(predictions)) {
            table.row(Stream.concat(
                            Stream.of(time.name()),
                            time.lines().stream()
                                    .map(line -> line.map(PredictReport::value).orElse("-")))
                    .toArray(String[]::new));
        }
        paragraph(TuneWords.formulas(predictions));
        print(table);
    }

    private void values(KeyTuning key) {
        for (RecommendedValue value : RecommendedValue.of(key)) {
            Recommendation<?> recommendation = value.recommendation();
            String from = recommendation.certainty() == Certainty.UNKNOWN
                    ? ""
                    : ", from " + Text.count(recommendation.calls()) + " calls";
            screen.say("- " + value.name() + " " + value.value().orElse("-") + " (" + recommendation.certainty() + from
                    + "): " + recommendation.why() + ".");
        }
        screen.out().println();
    }

    private void answers(KeyTuning key) {
        paragraph(TuneWords.OPEN_COST + " Say it with --cost:");
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
