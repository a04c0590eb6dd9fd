package io.nopanic.lab.setup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A policy in one line: what makes it open, then options.
 *
 * <pre>
 * count:WINDOW,PERCENT,MINIMUM[,OPEN TIME]     count:100,50,100,60s
 * time:WINDOW,PERCENT,MINIMUM[,OPEN TIME]      time:30s,50,10,15s
 * consecutive:FAILURES[,OPEN TIME]             consecutive:5,30s
 * auto[:COST]                                  auto:10
 * </pre>
 *
 * Options follow after semicolons: any setting by its name or the same name with hyphens ({@code probes=3}, {@code open-jitter=0.2}), and in
 * short {@code growth} for {@code openGrowth}, {@code jitter} for {@code openJitter}, {@code schedule=quadratic}. With {@code slow-after} a window
 * counts slow calls as failed ones.
 */
final class OneLine {

    static final String FORMS = "count:100,50,100,60s, time:30s,50,10,15s, consecutive:5,30s or auto:1";

    private static final Map<String, String> SHORT =
            Map.of("growth", "openGrowth", "jitter", "openJitter", "schedule", "quadraticProbing");

    private static final Pattern HYPHEN = Pattern.compile("-([a-z])");

    private OneLine() {}

    /** Whether a text is meant to be one of these. */
    static boolean looksLike(String text) {
        return text.matches("(?s)[a-z]+:.*|auto(;.*)?");
    }

    static Settings parse(String text) {
        String[] parts = text.split(";", -1);
        int colon = parts[0].indexOf(':');
        String kind = colon < 0 ? parts[0] : parts[0].substring(0, colon);
        String rest = colon < 0 ? null : parts[0].substring(colon + 1);
        Settings settings = new Settings(
                switch (kind) {
                    case "count" -> rates("countWindow", kind, rest);
                    case "time" -> rates("timeWindow", kind, rest);
                    case "consecutive" -> consecutive(rest);
                    case "auto" -> Map.of("failureCost", rest == null ? "1" : rest);
                    default ->
                        throw new IllegalArgumentException("'" + kind + "' is no kind of policy"
                                + Nearest.hint(kind, List.of("count", "time", "consecutive", "auto"))
                                + "; there are " + FORMS);
                });
        for (int i = 1; i < parts.length; i++) {
            settings = settings.and(option(parts[i]));
        }
        return withSlowCalls(settings);
    }

    private static Map<String, String> rates(String window, String kind, @Nullable String rest) {
        String form = "a window, a percentage, the fewest calls and the open time, such as "
                + (kind.equals("count") ? "count:100,50,100,60s" : "time:30s,50,10,15s");
        String[] values = values(kind, rest, 3, 4, form);
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(window, values[0]);
        settings.put("failureRate", percent(values[1]));
        settings.put("minimumCalls", values[2]);
        if (values.length > 3) {
            settings.put("openFor", values[3]);
        }
        return settings;
    }

    private static Map<String, String> consecutive(@Nullable String rest) {
        String[] values =
                values("consecutive", rest, 1, 2, "a number of failures and the open time, such as consecutive:5,30s");
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("consecutiveFailures", values[0]);
        if (values.length > 1) {
            settings.put("openFor", values[1]);
        }
        return settings;
    }

    private static String[] values(String kind, @Nullable String rest, int least, int most, String form) {
        String[] values = rest == null ? new String[0] : rest.split(",", -1);
        if (values.length < least || values.length > most) {
            throw Settings.refused(kind, rest == null ? "" : rest, form);
        }
        return values;
    }

    /** A bare number is a percentage; less than one percent has to say so, lest it was meant as a share. */
    private static String percent(String text) {
        String stripped = text.strip();
        if (!stripped.matches("\\d+(\\.\\d+)?%?") || (!stripped.endsWith("%") && Double.parseDouble(stripped) < 1)) {
            throw Settings.refused(
                    "the percentage", text, "a number from 1 to 100, or a smaller one with its %, as in 0.5%");
        }
        return stripped.endsWith("%") ? stripped : stripped + "%";
    }

    private static Map<String, String> option(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is no option; one looks like probes=3");
        }
        String name = text.substring(0, equals).strip();
        String value = text.substring(equals + 1).strip();
        if (name.equals("schedule")) {
            return Map.of("quadraticProbing", schedule(value));
        }
        return Map.of(SHORT.getOrDefault(name, camelCase(name)), value);
    }

    private static String schedule(String value) {
        if (value.equals("quadratic")) {
            return "true";
        }
        if (value.startsWith("quadratic/")) {
            return value.substring("quadratic/".length());
        }
        throw Settings.refused(
                "schedule", value, "quadratic, or quadratic/2/100ms/30s; without it the open time counts");
    }

    private static String camelCase(String name) {
        return HYPHEN.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static Settings withSlowCalls(Settings settings) {
        Map<String, String> values = settings.values();
        boolean counts = values.containsKey("slowCallRate") || values.containsKey("failedOrSlowRate");
        String failureRate = values.get("failureRate");
        return values.containsKey("slowAfter") && failureRate != null && !counts
                ? settings.and(Map.of("failedOrSlowRate", failureRate))
                : settings;
    }
}
