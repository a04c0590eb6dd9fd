package io.nopanic.lab.logs.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The formats by their names: which ones a name stands for. */
public final class Formats {

    /** What users may write, for help texts and complaints. */
    public static final String NAMES = "jsonl, csv, nginx, nginx:'<log_format>', ingress-nginx, apache,"
            + " apache:'<LogFormat>', envoy, envoy:'<text_format>', envoy-json, alb, otlp, jaeger, zipkin";

    private static final Map<String, Integer> OWN_PLACES = Map.ofEntries(
            Map.entry("ts", Fields.START_TIME),
            Map.entry("ms", Fields.MILLIS),
            Map.entry("us", Fields.MICROS),
            Map.entry("ns", Fields.NANOS),
            Map.entry("duration", Fields.DURATION),
            Map.entry("ok", Fields.OK),
            Map.entry("status", Fields.STATUS),
            Map.entry("error", Fields.ERROR),
            Map.entry("key", Fields.KEY),
            Map.entry("host", Fields.HOST),
            Map.entry("upstream", Fields.UPSTREAM),
            Map.entry("path", Fields.PATH),
            Map.entry("attempt", Fields.ATTEMPT),
            Map.entry("rejected", Fields.REJECTED),
            Map.entry("sample", Fields.SAMPLE),
            Map.entry("lost", Fields.LOST));

    private Formats() {}

    /**
     * The formats that a name stands for: one, or several of one program of which the log has to show which it is.
     *
     * @throws IllegalArgumentException if there is none of that name, or the format that stands behind it cannot be read
     */
    public static List<LogFormat> named(String name) {
        int colon = name.indexOf(':');
        String program = colon < 0 ? name : name.substring(0, colon);
        String format = colon < 0 ? "" : name.substring(colon + 1);
        try {
            return switch (program) {
                case "jsonl" -> List.of(jsonl());
                case "csv" -> List.of(csv());
                case "ingress-nginx" -> List.of(ingress());
                case "nginx" -> colon < 0 ? nginxPresets() : List.of(proxy(name, NginxSyntax.pattern(format)));
                case "apache" -> colon < 0 ? apachePresets() : List.of(proxy(name, ApacheSyntax.pattern(format)));
                case "envoy" -> colon < 0 ? envoyPresets() : List.of(envoy(name, EnvoySyntax.pattern(format)));
                case "envoy-json" -> List.of(envoyJson());
                case "alb" -> List.of(alb());
                case "otlp", "jaeger", "zipkin" ->
                    List.of(spans(SpanDialect.valueOf(program.toUpperCase(Locale.ROOT))));
                default -> throw new IllegalArgumentException("no such format");
            };
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "format is '" + name + "': " + e.getMessage() + "; allowed is " + NAMES, e);
        }
    }

    /** All that a log may turn out to be, the more special ones first. */
    public static List<LogFormat> candidates() {
        List<LogFormat> all = new ArrayList<>(List.of(jsonl(), csv(), envoyJson(), alb(), ingress()));
        for (SpanDialect dialect : SpanDialect.values()) {
            all.add(spans(dialect));
        }
        all.addAll(envoyPresets());
        all.addAll(nginxPresets());
        all.addAll(apachePresets());
        return List.copyOf(all);
    }

    private static LogFormat jsonl() {
        return own("jsonl", () -> new JsonSplitter(OWN_PLACES));
    }

    private static LogFormat csv() {
        return own("csv", () -> new CsvSplitter(OWN_PLACES));
    }

    private static LogFormat ingress() {
        return proxy("ingress-nginx", NginxSyntax.pattern(NginxSyntax.INGRESS));
    }

    private static LogFormat envoyJson() {
        return lines(
                "envoy-json",
                () -> new JsonSplitter(EnvoySyntax.MEMBERS),
                (reading, splitter) -> new EnvoyCall(reading));
    }

    private static LogFormat alb() {
        return lines("alb", AlbSplitter::new, (reading, splitter) -> new AlbCall(reading));
    }

    private static LogFormat spans(SpanDialect dialect) {
        return new LogFormat.OfSpans(dialect.name().toLowerCase(Locale.ROOT), dialect);
    }

    private static List<LogFormat> nginxPresets() {
        return presets(NginxSyntax.PRESETS, name -> proxy("nginx:" + name, NginxSyntax.pattern(name)));
    }

    private static List<LogFormat> apachePresets() {
        return presets(ApacheSyntax.PRESETS, name -> proxy("apache:" + name, ApacheSyntax.pattern(name)));
    }

    private static List<LogFormat> envoyPresets() {
        return presets(EnvoySyntax.PRESETS, name -> envoy("envoy:" + name, EnvoySyntax.pattern(name)));
    }

    private static List<LogFormat> presets(Map<String, String> presets, Function<String, LogFormat> maker) {
        return presets.keySet().stream().sorted().map(maker).toList();
    }

    private static LogFormat envoy(String name, LinePattern pattern) {
        return lines(name, () -> pattern, (reading, splitter) -> new EnvoyCall(reading));
    }

    private static LogFormat own(String name, Supplier<Splitter> splitters) {
        return lines(name, splitters, (reading, splitter) -> new OwnCall(reading));
    }

    private static LogFormat proxy(String name, LinePattern pattern) {
        return lines(name, () -> pattern, ProxyCall::new);
    }

    private static LogFormat lines(
            String name, Supplier<Splitter> splitters, BiFunction<Reading, Splitter, Meaning> meanings) {
        return new LogFormat.OfLines(name, reading -> {
            Splitter splitter = splitters.get();
            Keys.check(name, reading.by(), splitter);
            return new SplitParser(splitter, meanings.apply(reading, splitter));
        });
    }
}
