package io.nopanic.lab.logs.write;

import io.nopanic.lab.call.Ending;

/** An AWS application load balancer, to the millisecond; the key is the name of the target group. It cannot leave out how long a call took. */
final class AlbLines implements LineWriter {

    private static final int NANOS_PER_MILLI = 1_000_000;

    @Override
    public void append(StringBuilder line, WrittenCall call) {
        if (!call.hasDuration()) {
            throw new IllegalArgumentException("the call at " + Text.toMicros(call.startNanos())
                    + " has no duration, allowed is a call with one: lines of a load balancer cannot leave it out");
        }
        boolean hasAnswer = call.ending() != Ending.TIMEOUT;
        line.append("http ").append(Text.toMicros(call.endNanos()));
        line.append(" app/nopanic/0 192.0.2.1:40000 192.0.2.2:80 0.000 ");
        if (hasAnswer) {
            Text.decimal(line, call.durationNanos() / NANOS_PER_MILLI, 3).append(" 0.000 ");
            line.append(call.status()).append(' ').append(call.status());
        } else {
            line.append("-1 -1 ").append(call.status()).append(" -");
        }
        line.append(
                " 0 0 \"GET http://nopanic.example:80/ HTTP/1.1\" \"-\" - - arn:aws:elasticloadbalancing:nowhere:0:targetgroup/");
        Text.escaped(line, call.key(), " /").append("/0 \"-\" \"nopanic.example\" \"-\" 0 ");
        line.append(Text.toMicros(call.startNanos())).append(" \"forward\" \"-\" \"-\" \"192.0.2.2:80\" ");
        line.append(hasAnswer ? "\"" + call.status() + "\"" : "\"-\"").append(" \"-\" \"-\"");
    }
}
