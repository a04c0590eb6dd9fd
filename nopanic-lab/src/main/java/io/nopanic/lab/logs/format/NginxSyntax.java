package io.nopanic.lab.logs.format;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what stands behind {@code log_format} in the configuration of nginx. */
final class NginxSyntax {

    static final String COMBINED =
            "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\"";
    static final String MAIN = COMBINED + " \"$http_x_forwarded_for\"";
    static final String INGRESS = COMBINED + " $request_length $request_time [$proxy_upstream_name]"
            + " [$proxy_alternative_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id";

    /** Formats that have a name; {@code nopanic} is what we write ourselves. */
    static final Map<String, String> PRESETS = Map.of(
            "combined",
            COMBINED,
            "main",
            MAIN,
            "combined-timed",
            COMBINED + " $request_time",
            "main-timed",
            MAIN + " $request_time",
            "main-ext",
            MAIN + " \"$host\" sn=\"$server_name\" rt=$request_time ua=\"$upstream_addr\" us=\"$upstream_status\""
                    + " ut=\"$upstream_response_time\" ul=\"$upstream_response_length\" cs=$upstream_cache_status",
            "nopanic",
            "$msec $request_time $status \"$request\" $host",
            "ingress",
            INGRESS);

    private static final Pattern DIRECTIVE =
            Pattern.compile("^\\s*log_format\\s+[\\w-]+\\s+(?:escape=\\w+\\s+)?|\\s*;\\s*$");
    private static final Pattern BETWEEN_QUOTES = Pattern.compile("'\\s*'");
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)}|(\\w+))");

    private NginxSyntax() {}

    /** The pattern of a format, or of one that has a name. */
    static LinePattern pattern(String format) {
        String text = strip(PRESETS.getOrDefault(format, format));
        var pattern = new LinePattern.Builder();
        Matcher variable = VARIABLE.matcher(text);
        int done = 0;
        while (variable.find()) {
            pattern.text(text.substring(done, variable.start()));
            add(pattern, variable.group(1) != null ? variable.group(1) : variable.group(2));
            done = variable.end();
        }
        pattern.text(text.substring(done));
        return pattern.build();
    }

    /** Without the directive itself and the quotes around its pieces, if somebody took all of it. */
    private static String strip(String format) {
        String text = DIRECTIVE.matcher(format).replaceAll("").strip();
        boolean isQuoted = text.length() > 1 && text.startsWith("'") && text.endsWith("'");
        return isQuoted
                ? BETWEEN_QUOTES.matcher(text.substring(1, text.length() - 1)).replaceAll("")
                : text;
    }

    private static void add(LinePattern.Builder pattern, String variable) {
        String name = "$" + variable;
        switch (variable) {
            case "msec" -> pattern.variable(name, Fields.END_TIME, 0, false);
            case "time_iso8601", "time_local" -> pattern.variable(name, Fields.END_TIME, 1, false);
            case "request_time" -> pattern.variable(name, Fields.POINTED_SECONDS, 0, false);
            case "status" -> pattern.variable(name, Fields.STATUS, 0, false);
            case "upstream_status" -> pattern.variable(name, Fields.UPSTREAM_STATUS, 0, true);
            case "upstream_response_time" -> pattern.variable(name, Fields.UPSTREAM_SECONDS, 0, true);
            case "upstream_addr" -> pattern.variable(name, Fields.UPSTREAM, 0, true);
            case "proxy_upstream_name", "proxy_host" -> pattern.variable(name, Fields.KEY, 0, false);
            case "host" -> pattern.variable(name, Fields.HOST, 0, false);
            case "http_host" -> pattern.variable(name, Fields.HOST, 1, false);
            case "server_name" -> pattern.variable(name, Fields.HOST, 2, false);
            case "request_uri" -> pattern.variable(name, Fields.PATH, 0, false);
            case "uri", "document_uri" -> pattern.variable(name, Fields.PATH, 1, false);
            case "request" -> pattern.variable(name, Fields.REQUEST, 0, false);
            default -> pattern.other(name, variable.startsWith("upstream_"));
        }
    }
}
