package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.logs.format.KeyBy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of each format with random faults in them: every one is accounted for, none is the end of the reading. */
class FuzzTest {

    private static final int LINES = 4000;

    private static final List<String> SPICES = List.of(
            "\"",
            "\\",
            "\\\"",
            ",",
            ", ",
            " : ",
            ":",
            " ",
            "-",
            "-1",
            "{",
            "}",
            "[",
            "]",
            "null",
            "1e999999999",
            "1e-999999999",
            "NaN",
            "99999999999999999999999",
            "-0",
            "\u0000",
            "\ufeff",
            "\t",
            "\r",
            "true",
            "'",
            "\n",
            "\u00e9",
            "Feb",
            "/",
            "T",
            "Z",
            "+99:99",
            "9223372036854775807",
            "\"ok\":false,",
            "\"rejected\":\"x\",",
            "0000-00-00",
            "2023-13-45T99:99:99");

    private static String valid(String format) {
        return switch (format) {
            case "jsonl" ->
                "{\"ts\":1700000000.25,\"ms\":12.5,\"ok\":false,\"status\":503,\"error\":\"x.TimeoutException\",\"key\":\"db\",\"attempt\":2}";
            case "csv" -> "1700000000250,12.5,true,200,,\"a \"\"b\"\", c\",1";
            case "nginx:combined-timed" ->
                "10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"x\" 0.250";
            case "ingress-nginx" ->
                "10.1.2.3 - - [14/Nov/2023:22:13:20 +0000] \"GET /api HTTP/1.1\" 200 21 \"-\" \"c\" 80 0.500 [shop] []"
                        + " 10.0.0.7:80, 10.0.0.8:80 0, 21 0.100, 0.300 502, 200 c0ffee";
            case "apache:combined-timed" ->
                "10.0.0.1 - - [14/Nov/2023:23:13:20 +0100] \"GET / HTTP/1.1\" 503 12 \"-\" \"x\" 250000";
            case "envoy" ->
                "[2023-11-14T22:13:20.250Z] \"GET /a HTTP/1.1\" 503 UF,URX 0 5 40 - \"-\" \"c\" \"c0ffee\" \"shop\" \"10.0.0.1:80\"";
            case "envoy-json" ->
                "{\"start_time\":\"2023-11-14T22:13:20.250Z\",\"response_code\":504,\"response_flags\":\"UT\",\"duration\":40,\"x\":{\"y\":[1]}}";
            case "alb" ->
                "http 2023-11-14T22:13:21.000000Z app/lb/5 1.2.3.4:2817 10.0.0.1:80 0.001 0.048 0.037 200 200 34 366 \"GET http://h:80/ HTTP/1.1\""
                        + " \"c\" - - arn:aws:x:targetgroup/t/7 \"R\" \"h\" \"-\" 1 2023-11-14T22:13:20.500000Z \"forward\" \"-\" \"-\" \"a\" \"200\" \"-\" \"-\"";
            default -> throw new AssertionError(format);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jsonl",
                "csv",
                "nginx:combined-timed",
                "ingress-nginx",
                "apache:combined-timed",
                "envoy",
                "envoy-json",
                "alb"
            })
    void everyLineIsAccountedFor(String format) throws LogException {
        Random random = new Random(format.hashCode());
        byte[] header =
                (format.equals("csv") ? "ts,ms,ok,status,error,key,attempt\n" : "").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        log.writeBytes(header);
        log.writeBytes((valid(format) + "\n").getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < LINES; i++) {
            log.writeBytes(mutated(valid(format), random));
            log.write('\n');
        }
        byte[] bytes = log.toByteArray();
        long lines = 0;
        for (byte one : bytes) {
            lines += one == '\n' ? 1 : 0;
        }
        for (KeyBy by : List.of(
                KeyBy.NONE, format.startsWith("apache") || format.contains("combined") ? KeyBy.PATH1 : KeyBy.KEY)) {
            if (format.equals("envoy") && by == KeyBy.KEY) {
                by = KeyBy.HOST;
            }
            var read = Logs.read(bytes, LogOptions.standard().withFormat(format).withBy(by));
            ReadReport report = read.report();
            assertThat(report.lines()).isEqualTo(lines);
            assertThat(report.linesWithCalls() + report.emptyLines() + report.dropped() + report.unparsable())
                    .isEqualTo(lines);
            assertThat(report.calls()).isEqualTo(read.calls().size()).isGreaterThanOrEqualTo(report.linesWithCalls());
            assertThat(report.linesWithCalls()).isGreaterThan(LINES / 10);
            assertThat(report.unparsable()).isGreaterThan(LINES / 10);
            assertThat(read.calls()).allSatisfy(call -> {
                assertThat(call.startNanos()).isNotNegative();
                assertThat(call.durationNanos()).isGreaterThanOrEqualTo(-1);
                assertThat(call.startNanos() + Math.max(0, call.durationNanos()))
                        .isNotNegative();
                assertThat(call.attempt()).isPositive();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"otlp", "jaeger", "zipkin"})
    void everyDocumentIsAccountedFor(String format) throws LogException {
        String span = switch (format) {
            case "otlp" ->
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"5b\",\"startTimeUnixNano\":\"1700000000000000000\",\"traceState\":\"ot=th:8\","
                        + "\"endTimeUnixNano\":\"1700000000250000000\",\"kind\":3,\"status\":{\"code\":2},\"attributes\":[{\"key\":\"server.address\",\"value\":{\"stringValue\":\"db\"}}]}]}]}]}";
            case "jaeger" ->
                "{\"data\":[{\"spans\":[{\"traceID\":\"a\",\"startTime\":1700000000000000,\"duration\":2500,\"tags\":[{\"key\":\"span.kind\",\"value\":\"client\"}]}]}]}";
            default ->
                "[{\"traceId\":\"a\",\"kind\":\"CLIENT\",\"timestamp\":1700000000000000,\"duration\":9,\"remoteEndpoint\":{\"serviceName\":\"db\"},\"tags\":{\"error\":\"x\"}}]";
        };
        Random random = new Random(format.hashCode());
        for (int i = 0; i < LINES / 4; i++) {
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            for (int line = 0; line < 5; line++) {
                log.writeBytes(line == 2 ? mutated(span, random) : span.getBytes(StandardCharsets.UTF_8));
                log.write('\n');
            }
            var read = Logs.read(
                    log.toByteArray(), LogOptions.standard().withFormat(format).withBy(KeyBy.KEY));
            ReadReport report = read.report();
            assertThat(report.linesWithCalls() + report.dropped() + report.unparsable())
                    .isEqualTo(report.lines());
            assertThat(report.calls()).isEqualTo(read.calls().size());
            // What stands before the fault is read whatever it is.
            assertThat(report.calls()).isGreaterThanOrEqualTo(2);
        }
    }

    /** One to three faults: something taken out, put in, doubled, cut off, or turned into any byte. */
    private static byte[] mutated(String line, Random random) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        int faults = 1 + random.nextInt(3);
        for (int i = 0; i < faults && bytes.length > 0; i++) {
            int from = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, from + 1 + random.nextInt(8));
            ByteArrayOutputStream changed = new ByteArrayOutputStream();
            changed.write(bytes, 0, from);
            switch (random.nextInt(6)) {
                case 0 -> changed.write(bytes, to, bytes.length - to);
                case 1 -> {
                    changed.writeBytes(SPICES.get(random.nextInt(SPICES.size())).getBytes(StandardCharsets.UTF_8));
                    changed.write(bytes, from, bytes.length - from);
                }
                case 2 -> {
                    changed.writeBytes(SPICES.get(random.nextInt(SPICES.size())).getBytes(StandardCharsets.UTF_8));
                    changed.write(bytes, to, bytes.length - to);
                }
                case 3 -> {
                    changed.write(bytes, from, to - from);
                    changed.write(bytes, from, bytes.length - from);
                }
                case 4 -> {
                    changed.write(random.nextInt(256));
                    changed.write(bytes, from + 1, bytes.length - from - 1);
                }
                default -> {
                    if (random.nextInt(4) > 0) {
                        changed.write(bytes, from, bytes.length - from);
                    }
                }
            }
            bytes = changed.toByteArray();
        }
        return bytes;
    }
}
