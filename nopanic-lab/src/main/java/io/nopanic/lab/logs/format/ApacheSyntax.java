package io.nopanic.lab.logs.format;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what stands behind {@code LogFormat} in the configuration of Apache's HTTP server. */
final class ApacheSyntax {

    static final String COMMON = "%h %l %u %t \"%r\" %>s %b";
    static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    /** Formats that have a name. */
    static final Map<String, String> PRESETS = Map.of(
            "common",
            COMMON,
            "combined",
            COMBINED,
            "combined-timed",
            COMBINED + " %D",
            "vhost-combined",
            "%v:%p " + COMBINED);

    /** Seconds and a fraction of them behind the point, which are two directives and one time. */
    private static final Pattern FRACTION =
            Pattern.compile("%\\{(begin:|end:)?sec}t\\.%\\{(?:begin:|end:)?[mu]sec_frac}t");

    private static final Pattern DIRECTIVE =
            Pattern.compile("%([<>])?(?:!?[\\d,]+)?(?:\\{([^}]*)})?([<>])?(\\^?[a-zA-Z]{1,2}?|%)");

    private ApacheSyntax() {}

    /** The pattern of a format, or of one that has a name. */
    static LinePattern pattern(String format) {
        String text = PRESETS.getOrDefault(format, format).replace("\\\"", "\"").replace("\\t", "\t");
        text = FRACTION.matcher(text).replaceAll("%{$1sec}t");
        var pattern = new LinePattern.Builder();
        Matcher directive = DIRECTIVE.matcher(text);
        int done = 0;
        while (directive.find()) {
            pattern.text(text.substring(done, directive.start()));
            boolean isFinal = ">".equals(directive.group(1)) || ">".equals(directive.group(3));
            String argument = directive.group(2) == null ? "" : directive.group(2);
            add(pattern, directive.group(), directive.group(4), argument, isFinal);
            done = directive.end();
        }
        pattern.text(text.substring(done));
        return pattern.build();
    }

    private static void add(LinePattern.Builder pattern, String name, String letter, String argument, boolean isFinal) {
        switch (letter) {
            case "%" -> pattern.text("%");
            case "t" -> time(pattern, name, argument);
            case "D" -> pattern.variable(name, Fields.MICROS, 0, false);
            case "T" -> duration(pattern, name, argument);
            case "s" -> pattern.variable(name, Fields.STATUS, isFinal ? 0 : 1, false);
            case "r" -> pattern.variable(name, Fields.REQUEST, 0, false);
            case "U" -> pattern.variable(name, Fields.PATH, 0, false);
            case "v", "V" -> pattern.variable(name, Fields.HOST, 1, false);
            default -> {
                if (argument.equalsIgnoreCase("Host")) {
                    pattern.variable(name, Fields.HOST, 0, false);
                } else if (argument.equals("BALANCER_WORKER_NAME")) {
                    pattern.variable(name, Fields.UPSTREAM, 0, false);
                } else {
                    pattern.other(name, false);
                }
            }
        }
    }

    /** Whole seconds would make nearly all durations 0, which is worse than to know none. */
    private static void duration(LinePattern.Builder pattern, String name, String unit) {
        switch (unit) {
            case "ms" -> pattern.variable(name, Fields.MILLIS, 0, false);
            case "us" -> pattern.variable(name, Fields.MICROS, 0, false);
            default -> pattern.other(name, false);
        }
    }

    private static void time(LinePattern.Builder pattern, String name, String argument) {
        if (argument.isEmpty()) {
            pattern.text("[").variable(name, Fields.START_TIME, 1, false).text("]");
            return;
        }
        int field = argument.startsWith("end:") ? Fields.END_TIME : Fields.START_TIME;
        String form = argument.replaceFirst("^(begin|end):", "");
        if (form.endsWith("_frac")) {
            throw new IllegalArgumentException("the format has " + name
                    + " in a place of its own, allowed is only %{sec}t.%{msec_frac}t or %{sec}t.%{usec_frac}t");
        }
        pattern.variable(name, field, 0, false);
    }
}
