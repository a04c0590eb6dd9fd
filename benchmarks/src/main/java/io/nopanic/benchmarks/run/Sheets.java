package io.nopanic.benchmarks.run;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.Sample;
import io.nopanic.benchmarks.run.Results.Cell;
import io.nopanic.cli.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Makes tables of figures. */
public final class Sheets {

    private static final String NONE = "";
    private static final String OURS = "nopanic";
    private static final double MILLION = 1e6;
    private static final double NO_BYTES = 0.5;

    private final Figures figures;

    /** Tables of these figures. */
    public Sheets(Figures figures) {
        this.figures = figures;
    }

    /** Every target with its figure. */
    public Sheet targets() {
        Sheet sheet = new Sheet("Targets", "what", "figure", "95 % interval", "target", "");
        for (Target target : Targets.all()) {
            Optional<Interval> figure = target.in(figures);
            sheet.row(
                    target.what(),
                    figure.map(found -> number(found.value()) + " " + target.unit())
                            .orElse(NONE),
                    figure.map(Sheets::range).orElse(NONE),
                    target.goal(),
                    target.verdict(figures).toString());
        }
        return sheet;
    }

    /** One table for each group that was measured. */
    public List<Sheet> groups() {
        List<Sheet> sheets = new ArrayList<>();
        for (Group group : Group.values()) {
            Sheet sheet = group(group);
            if (!sheet.isEmpty()) {
                sheets.add(sheet);
            }
        }
        return sheets;
    }

    private Sheet group(Group group) {
        Sheet sheet = new Sheet(
                group.title(),
                "who",
                "CPU ns, 1 thread",
                "x nanoTime",
                "x nopanic",
                "bytes",
                "wall ns, 1",
                "wall ns, 2",
                "x nopanic, 2",
                "M calls/s, 32",
                "x nopanic, 32");
        for (Contestant one : Contestants.of(group)) {
            if (figures.results().has(one.key())) {
                sheet.row(
                        one.name(),
                        cell(one, 1, Sample::cpuNanos),
                        cell(one, 1, Sample::timesClock),
                        ratio(one, 1),
                        bytes(one),
                        cell(one, 1, Sample::wallNanos),
                        cell(one, 2, Sample::wallNanos),
                        ratio(one, 2),
                        cell(one, 32, sample -> sample.callsPerNano() * 1e9 / MILLION),
                        ratio(one, 32));
            }
        }
        return sheet;
    }

    private String cell(Contestant one, int threads, ToDoubleFunction<Sample> measure) {
        return figures.results()
                .of(new Cell(one.key(), threads), measure)
                .map(found -> number(found.value()))
                .orElse(NONE);
    }

    private String bytes(Contestant one) {
        return figures.results()
                .of(new Cell(one.key(), 1), Sample::bytes)
                .map(found -> found.value() < NO_BYTES ? "0" : Text.count(Math.round(found.value())))
                .orElse(NONE);
    }

    /** How many times as long as nopanic; the floors are not beside it. */
    private String ratio(Contestant one, int threads) {
        String reference = one.group().key() + "/" + OURS;
        return figures.results()
                .ratio(new Cell(one.key(), threads), new Cell(reference, threads))
                .map(found -> number(found.value()) + (range(found).isEmpty() ? NONE : " (" + range(found) + ")"))
                .orElse(NONE);
    }

    /** The load of 3.2 million calls. */
    public Sheet load() {
        Sheet sheet = new Sheet(
                "3.2 million calls from 32 threads, a third throws",
                "who",
                "first run, s",
                "warm, s",
                "warm, fresh exceptions, s",
                "1,000 virtual threads, warm, s");
        figures.others().loads().forEach((key, runs) -> {
            List<Double> cold = runs.stream().map(Others.Runs::coldSeconds).toList();
            List<Double> warm = runs.stream().map(Others.Runs::warmSeconds).toList();
            sheet.row(
                    name(key),
                    seconds(Optional.of(Interval.of(cold).value())),
                    seconds(Optional.of(Interval.of(warm).value())),
                    seconds(Optional.ofNullable(figures.others().fresh().get(key))
                            .map(Others.Runs::warmSeconds)),
                    seconds(Optional.ofNullable(figures.others().virtual().get(key))
                            .map(Others.Runs::warmSeconds)));
        });
        return sheet;
    }

    /** How many calls virtual threads make. */
    public Sheet virtualCalls() {
        Sheet sheet = new Sheet("32 virtual threads", "what", "who", "M calls/s", "x nopanic");
        Map<String, Double> found = figures.others().virtualCalls();
        found.forEach((key, perSecond) -> {
            Contestant one = Contestants.named(key);
            Double ours = found.get(one.group().key() + "/" + OURS);
            sheet.row(
                    one.group().title(),
                    one.name(),
                    number(perSecond / MILLION),
                    ours == null ? NONE : number(ours / perSecond));
        });
        return sheet;
    }

    /** What breakers hold. */
    public Sheet retained() {
        Sheet sheet = new Sheet("Bytes held by one breaker", "who", "new", "a million calls in its window");
        figures.others()
                .retained()
                .forEach((name, bytes) -> sheet.row(name, Text.count(bytes.before()), Text.count(bytes.after())));
        return sheet;
    }

    /** What a call costs with more and more of them in the window. */
    public Sheet growth() {
        Map<String, Map<Long, Double>> growth = figures.others().growth();
        TreeSet<Long> sizes = new TreeSet<>();
        growth.values().forEach(found -> sizes.addAll(found.keySet()));
        List<String> head = new ArrayList<>(List.of("ns per call, calls in the window:"));
        sizes.forEach(size -> head.add(Text.count(size)));
        Sheet sheet = new Sheet("Growth", head.toArray(new String[0]));
        growth.forEach((key, found) -> {
            List<String> cells = new ArrayList<>(List.of(name(key)));
            sizes.forEach(size -> cells.add(
                    Optional.ofNullable(found.get(size)).map(Sheets::number).orElse(NONE)));
            sheet.row(cells);
        });
        return sheet;
    }

    /** How many calls the lab goes through. */
    public Sheet lab() {
        Sheet sheet = new Sheet("The lab", "command", "calls", "s", "M calls/s");
        figures.others()
                .lab()
                .forEach((command, runs) -> runs.forEach(run -> sheet.row(
                        command, Text.count(run.calls()), number(run.seconds()), number(run.millionsPerSecond()))));
        return sheet;
    }

    private static String name(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    private static String seconds(Optional<Double> seconds) {
        return seconds.map(found -> String.format(Locale.ROOT, "%.3f", found)).orElse(NONE);
    }

    private static String range(Interval interval) {
        return interval.isKnown() && interval.low() < interval.high()
                ? number(interval.low()) + " to " + number(interval.high())
                : NONE;
    }

    /** About three digits. */
    static String number(double number) {
        return Text.digits(number);
    }
}
