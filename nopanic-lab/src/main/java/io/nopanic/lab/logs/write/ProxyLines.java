package io.nopanic.lab.logs.write;

import io.nopanic.lab.call.Ending;

/** Lines of proxies, to the millisecond. They do not say which attempt a call was. */
final class ProxyLines {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private ProxyLines() {}

    /** nginx, with {@code log_format nopanic '$msec $request_time $status "$request" $host';}. */
    static final class Nginx implements LineWriter {

        @Override
        public void append(StringBuilder line, WrittenCall call) {
            Text.decimal(line, call.endNanos() / NANOS_PER_MILLI, 3).append(' ');
            if (call.hasDuration()) {
                Text.decimal(line, call.durationNanos() / NANOS_PER_MILLI, 3);
            } else {
                line.append('-');
            }
            line.append(' ').append(call.status()).append(" \"GET / HTTP/1.1\" ");
            Text.escaped(line, call.key(), "");
        }
    }

    /** Envoy, with the format of its own; the key is the authority. */
    static final class Envoy implements LineWriter {

        @Override
        public void append(StringBuilder line, WrittenCall call) {
            String millis = millis(call, "-");
            line.append('[').append(Text.toMillis(call.startNanos())).append("] \"GET / HTTP/1.1\" ");
            line.append(call.status())
                    .append(' ')
                    .append(flags(call))
                    .append(" 0 0 ")
                    .append(millis)
                    .append(' ')
                    .append(millis);
            Text.escaped(line.append(" \"-\" \"-\" \"-\" \""), call.key(), "").append("\" \"-\"");
        }
    }

    /** Envoy as Istio sets it up to write JSON; the key is the cluster. */
    static final class EnvoyJson implements LineWriter {

        @Override
        public void append(StringBuilder line, WrittenCall call) {
            line.append("{\"start_time\":\"").append(Text.toMillis(call.startNanos()));
            line.append("\",\"method\":\"GET\",\"path\":\"/\",\"protocol\":\"HTTP/1.1\",\"response_code\":")
                    .append(call.status());
            line.append(",\"response_flags\":\"")
                    .append(flags(call))
                    .append("\",\"duration\":")
                    .append(millis(call, "null"));
            Text.json(line.append(",\"upstream_cluster\":"), call.key()).append('}');
        }
    }

    private static String flags(WrittenCall call) {
        return call.ending() == Ending.FAILURE ? "UF" : call.ending() == Ending.TIMEOUT ? "UT" : "-";
    }

    private static String millis(WrittenCall call, String unknown) {
        return call.hasDuration() ? Long.toString(call.durationNanos() / NANOS_PER_MILLI) : unknown;
    }
}
