package io.nopanic.lab.logs.format;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what stands in {@code text_format} in the configuration of Envoy. */
final class EnvoySyntax {

    private static final String REQUEST =
            "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\" %RESPONSE_CODE% %RESPONSE_FLAGS%";
    private static final String TRAFFIC =
            " %BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)%"
                    + " \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\" \"%REQ(:AUTHORITY)%\" \"%UPSTREAM_HOST%\"";

    /** What Envoy itself writes if nobody says otherwise. */
    static final String DEFAULT = REQUEST + TRAFFIC;

    /** What the proxies of Istio write. */
    static final String ISTIO = REQUEST
            + " %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% \"%UPSTREAM_TRANSPORT_FAILURE_REASON%\""
            + TRAFFIC
            + " %UPSTREAM_CLUSTER% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS%"
            + " %REQUESTED_SERVER_NAME% %ROUTE_NAME%";

    /** Formats that have a name. */
    static final Map<String, String> PRESETS = Map.of("default", DEFAULT, "istio", ISTIO);

    /** The members of the objects that Envoy and Istio write in place of text. */
    static final Map<String, Integer> MEMBERS = Map.ofEntries(
            Map.entry("start_time", Fields.START_TIME),
            Map.entry("duration", Fields.MILLIS),
            Map.entry("response_code", Fields.STATUS),
            Map.entry("response_flags", Fields.FLAGS),
            Map.entry("upstream_cluster", Fields.KEY),
            Map.entry("upstream_host", Fields.UPSTREAM),
            Map.entry("authority", Fields.HOST),
            Map.entry("path", Fields.PATH));

    private static final Pattern OPERATOR = Pattern.compile("%([A-Z][A-Z0-9_]*)(?:\\(([^)]*)\\))?(?::\\d+)?%");

    private EnvoySyntax() {}

    /** The pattern of a format, or of one that has a name. */
    static LinePattern pattern(String format) {
        String text = PRESETS.getOrDefault(format, format).strip();
        text = text.endsWith("\\n") ? text.substring(0, text.length() - 2) : text;
        var pattern = new LinePattern.Builder();
        Matcher operator = OPERATOR.matcher(text);
        int done = 0;
        while (operator.find()) {
            pattern.text(text.substring(done, operator.start()));
            String argument = operator.group(2) == null ? "" : operator.group(2);
            add(pattern, operator.group(), operator.group(1), argument);
            done = operator.end();
        }
        pattern.text(text.substring(done));
        return pattern.build();
    }

    private static void add(LinePattern.Builder pattern, String name, String operator, String argument) {
        switch (operator) {
            case "START_TIME" -> pattern.variable(name, Fields.START_TIME, 0, false);
            case "DURATION" -> pattern.variable(name, Fields.MILLIS, 0, false);
            case "RESPONSE_CODE" -> pattern.variable(name, Fields.STATUS, 0, false);
            case "RESPONSE_FLAGS" -> pattern.variable(name, Fields.FLAGS, 0, false);
            case "UPSTREAM_CLUSTER", "UPSTREAM_CLUSTER_RAW" -> pattern.variable(name, Fields.KEY, 0, false);
            case "UPSTREAM_HOST" -> pattern.variable(name, Fields.UPSTREAM, 0, false);
            case "REQ", "REQUEST_HEADER" -> header(pattern, name, argument);
            default -> pattern.other(name, false);
        }
    }

    private static void header(LinePattern.Builder pattern, String name, String header) {
        switch (header) {
            case ":AUTHORITY" -> pattern.variable(name, Fields.HOST, 0, false);
            case ":PATH", "X-ENVOY-ORIGINAL-PATH?:PATH" -> pattern.variable(name, Fields.PATH, 0, false);
            default -> pattern.other(name, false);
        }
    }
}
