package io.nopanic.lab.logs.write;

/** Our own two formats, to the nanosecond. What is ignored is written as cancelled. */
final class OwnLines {

    private OwnLines() {}

    static final class Jsonl implements LineWriter {

        @Override
        public boolean isOrderedByStart() {
            return true;
        }

        @Override
        public void append(StringBuilder line, WrittenCall call) {
            Text.decimal(line.append("{\"ts\":"), call.startNanos(), 9);
            if (call.hasDuration()) {
                Text.decimal(line.append(",\"ms\":"), call.durationNanos(), 6);
            }
            String error = error(call);
            line.append(error.isEmpty() ? ",\"ok\":true" : ",\"ok\":false,\"error\":\"" + error + '"');
            Text.json(line.append(",\"key\":"), call.key());
            line.append(",\"attempt\":").append(call.attempt()).append('}');
        }
    }

    static final class Csv implements LineWriter {

        @Override
        public String header() {
            return "ts,ms,ok,error,key,attempt";
        }

        @Override
        public boolean isOrderedByStart() {
            return true;
        }

        @Override
        public void append(StringBuilder line, WrittenCall call) {
            Text.decimal(line, call.startNanos(), 9).append(',');
            if (call.hasDuration()) {
                Text.decimal(line, call.durationNanos(), 6);
            }
            String error = error(call);
            line.append(error.isEmpty() ? ",true," : ",false,").append(error);
            // A line is a call: what would end it is a space.
            String key = call.key().replace("\"", "\"\"").replaceAll("[\r\n]", " ");
            line.append(",\"").append(key).append("\",").append(call.attempt());
        }
    }

    private static String error(WrittenCall call) {
        return switch (call.ending()) {
            case SUCCESS, SLOW -> "";
            case FAILURE -> "error";
            case TIMEOUT -> "timeout";
            case IGNORED -> "cancelled";
        };
    }
}
