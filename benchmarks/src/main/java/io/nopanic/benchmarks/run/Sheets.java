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
    private static final String OUR_LOAD = "breaker-failing/nopanic";
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
                        withRange(figures.results().of(new Cell(one.key(), 1), Sample::timesClock)),
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
        return value(figures.results().of(new Cell(one.key(), threads), measure));
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
        return withRange(figures.results().ratio(new Cell(one.key(), threads), new Cell(reference, threads)));
    }

    private static String withRange(Optional<Interval> interval) {
        return interval.map(
                        found -> number(found.value()) + (range(found).isEmpty() ? NONE : " (" + range(found) + ")"))
                .orElse(NONE);
    }

    /** The load of 3.2 million calls. */
    public Sheet load() {
        Sheet sheet = new Sheet(
                "3.2 million calls from 32 threads, a third throws",
                "who",
                "first run, s",
                "warm, s",
                "x nopanic",
                "warm, fresh exceptions, s",
                "x nopanic",
                "1,000 virtual threads, warm, s",
                "x nopanic");
        Others others = figures.others();
        for (String key : others.loads().keys()) {
            sheet.row(
                    name(key),
                    seconds(others.loads().of(key, Others.Runs::coldSeconds)),
                    seconds(others.loads().of(key, Others.Runs::warmSeconds)),
                    withRange(others.loads().ratio(key, OUR_LOAD, Others.Runs::warmSeconds)),
                    seconds(others.fresh().of(key, Others.Runs::warmSeconds)),
                    withRange(others.fresh().ratio(key, OUR_LOAD, Others.Runs::warmSeconds)),
                    seconds(others.virtual().of(key, Others.Runs::warmSeconds)),
                    withRange(others.virtual().ratio(key, OUR_LOAD, Others.Runs::warmSeconds)));
        }
        return sheet;
    }

    /** How many calls virtual threads make. */
    public Sheet virtualCalls() {
        Sheet sheet = new Sheet("32 virtual threads", "what", "who", "M calls/s", "x nopanic");
        Rounds<String, Double> calls = figures.others().virtualCalls();
        for (String key : calls.keys()) {
            Contestant one = Contestants.named(key);
            String ours = one.group().key() + "/" + OURS;
            sheet.row(
                    one.group().title(),
                    one.name(),
                    value(calls.of(key, perSecond -> perSecond / MILLION)),
                    withRange(calls.ratio(key, ours, perSecond -> 1 / perSecond)));
        }
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
        Rounds<String, Map<Long, Double>> growth = figures.others().growth();
        TreeSet<Long> sizes = new TreeSet<>();
        growth.keys().forEach(key -> growth.byRound(key).values().forEach(found -> sizes.addAll(found.keySet())));
        List<String> head = new ArrayList<>(List.of("ns per call, calls in the window:"));
        sizes.forEach(size -> head.add(Text.count(size)));
        Sheet sheet = new Sheet("Growth", head.toArray(new String[0]));
        for (String key : growth.keys()) {
            List<String> cells = new ArrayList<>(List.of(name(key)));
            sizes.forEach(size -> cells.add(value(growth.of(key, found -> found.getOrDefault(size, Double.NaN)))));
            sheet.row(cells);
        }
        return sheet;
    }

    /** How many calls the lab goes through. */
    public Sheet lab() {
        Sheet sheet = new Sheet("The lab", "command", "calls", "s", "M calls/s");
        Rounds<Others.LabCommand, Double> lab = figures.others().lab();
        for (Others.LabCommand command : lab.keys()) {
            sheet.row(
                    command.name(),
                    Text.count(command.calls()),
                    value(lab.of(command, seconds -> seconds)),
                    withRange(lab.of(command, command::millionsPerSecond)));
        }
        return sheet;
    }

    private static String name(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    private static String value(Optional<Interval> interval) {
        return interval.map(found -> number(found.value())).orElse(NONE);
    }

    private static String seconds(Optional<Interval> seconds) {
        return seconds.map(found -> String.format(Locale.ROOT, "%.3f", found.value()))
                .orElse(NONE);
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
