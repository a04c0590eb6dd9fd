package io.nopanic.lab.logs.write;

import java.util.Locale;

/** OpenTelemetry, as its collector writes files: a document of JSON a line, here with one span in each. To the nanosecond; the key is the address of the server. */
final class OtlpLines implements LineWriter {

    private static final String BEGIN =
            "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":"
                    + "{\"stringValue\":\"nopanic\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"nopanic\"},\"spans\":[{";

    private long spans;

    @Override
    public void append(StringBuilder line, WrittenCall call) {
        String id = String.format(Locale.ROOT, "%016x", ++spans);
        line.append(BEGIN)
                .append("\"traceId\":\"")
                .append(id)
                .append(id)
                .append("\",\"spanId\":\"")
                .append(id);
        line.append("\",\"name\":\"GET\",\"kind\":3,\"startTimeUnixNano\":\"").append(call.startNanos());
        if (call.hasDuration()) {
            line.append("\",\"endTimeUnixNano\":\"").append(call.endNanos());
        }
        line.append("\",\"attributes\":[{\"key\":\"server.address\",\"value\":{\"stringValue\":");
        Text.json(line, call.key()).append("}},");
        number(line, "http.response.status_code", call.status());
        if (call.attempt() > 1) {
            number(line.append(','), "http.request.resend_count", call.attempt() - 1);
        }
        line.append("],\"status\":{")
                .append(call.ending().isAnswered() ? "" : "\"code\":2")
                .append("}}]}]}]}");
    }

    private static void number(StringBuilder line, String key, int value) {
        line.append("{\"key\":\"")
                .append(key)
                .append("\",\"value\":{\"intValue\":\"")
                .append(value)
                .append("\"}}");
    }
}
