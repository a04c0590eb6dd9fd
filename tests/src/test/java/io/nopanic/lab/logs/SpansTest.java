package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.Logs.Call;
import io.nopanic.lab.logs.format.KeyBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpansTest {

    private static final LogOptions BY_KEY = LogOptions.standard().withBy(KeyBy.KEY);

    private static String otlp(String span) {
        return "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"5b8e\",\"startTimeUnixNano\":\"1700000000000000000\","
                + "\"endTimeUnixNano\":1700000000250000000,\"kind\":3" + span + "}]}]}]}";
    }

    private static String attribute(String key, String type, String value) {
        return ",\"attributes\":[{\"key\":\"" + key + "\",\"value\":{\"" + type + "\":" + value + "}}]";
    }

    @Test
    void aSpanOfOpenTelemetryIsACall() throws LogException {
        String span = ",\"attributes\":[{\"key\":\"server.address\",\"value\":{\"stringValue\":\"db\"}},"
                + "{\"key\":\"http.response.status_code\",\"value\":{\"intValue\":\"503\"}},"
                + "{\"key\":\"http.request.resend_count\",\"value\":{\"intValue\":2}}],\"status\":{\"code\":2}";
        var read = Logs.read(otlp(span), BY_KEY);
        assertThat(read.report().format()).isEqualTo("otlp");
        assertThat(read.only()).isEqualTo(new Call(1_700_000_000_000_000_000L, 250_000_000, Ending.FAILURE, "db", 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "http.response.status_code;intValue;\"200\";SUCCESS",
                "http.response.status_code;intValue;404;IGNORED",
                "http.status_code;intValue;504;TIMEOUT",
                "rpc.grpc.status_code;intValue;0;SUCCESS",
                "rpc.grpc.status_code;intValue;4;TIMEOUT",
                "rpc.grpc.status_code;intValue;5;IGNORED",
                "rpc.grpc.status_code;intValue;14;FAILURE",
                "error.type;stringValue;\"java.net.SocketTimeoutException\";TIMEOUT",
                "error.type;stringValue;\"500\";FAILURE",
                "other;arrayValue;{\"values\":[{\"stringValue\":\"a\"}]};SUCCESS"
            })
    void attributesSayHowItEnded(String key, String type, String value, Ending ending) throws LogException {
        assertThat(Logs.read("otlp", otlp(attribute(key, type, value))).only().ending())
                .isEqualTo(ending);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"code\":2};FAILURE",
                "{\"code\":\"STATUS_CODE_ERROR\"};FAILURE",
                "{\"code\":1};SUCCESS",
                "{};SUCCESS",
                "[1,{\"code\":2}];SUCCESS"
            })
    void theStatusOfASpanSaysWhetherItFailed(String status, Ending ending) throws LogException {
        assertThat(Logs.read("otlp", otlp(",\"status\":" + status)).only().ending())
                .isEqualTo(ending);
    }

    @Test
    void theRestOfADocumentThatIsBrokenIsADamage() throws LogException {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            log.append(otlp("")).append('\n');
        }
        var read = Logs.read(
                "otlp", log.append("{\"resourceSpans\":[}\n").append(otlp("")).toString());

        assertThat(read.calls()).hasSize(301);
        assertThat(read.report().damages()).singleElement().asString().contains("no JSON");
        assertThat(read.report().failing()).isTrue();
    }

    @Test
    void spansOfServersAreLeftOutAndCounted() throws LogException {
        var read = Logs.read("otlp", otlp(",\"kind\":2"));
        assertThat(read.calls()).isEmpty();
        assertThat(read.report().droppedByReason()).containsEntry("a span of another kind than CLIENT", 1L);
        assertThat(read.report().failing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"ot=th:c,1", "'x=1,ot=p:8;r:62',1", "ot=th:0,0", "vendor=th:c,0"})
    void traceStatesThatTellOfSamplingAreSeen(String state, int hints) throws LogException {
        assertThat(Logs.read("otlp", otlp(",\"traceState\":\"" + state + "\""))
                        .report()
                        .samplingHints())
                .hasSize(hints);
    }

    @Test
    void attributesThatTellOfSamplingAreSeenOnce() throws LogException {
        String one = otlp(attribute("sampling.probability", "doubleValue", "0.1"));
        assertThat(Logs.read("otlp", one + "\n" + one).report().samplingHints())
                .containsExactly("a span has sampling.probability=0.1");
        assertThat(Logs.read("otlp", otlp(attribute("sampling.probability", "doubleValue", "1")))
                        .report()
                        .samplingHints())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ratelimiting,1", "lowerbound,1", "const,0", "probabilistic,0"})
    void aSamplerThatIsNoShareIsSeenByItsType(String type, int hints) throws LogException {
        var report = Logs.read("otlp", otlp(attribute("sampler.type", "stringValue", '"' + type + '"')))
                .report();
        assertThat(report.samplingHints()).hasSize(hints);
        assertThat(report.maybeSampled()).isEqualTo(hints == 0);
    }

    @Test
    void onlyTracesMayBeASampleThatSaysNothingOfIt() throws LogException {
        assertThat(Logs.read("otlp", otlp("")).report().maybeSampled()).isTrue();
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"ms\":0,\"ok\":true}")
                        .report()
                        .maybeSampled())
                .isFalse();
    }

    @Test
    void aSpanOfJaegerIsACall() throws LogException {
        var read = Logs.read(
                "{\"data\":[{\"traceID\":\"a\",\"spans\":[{\"traceID\":\"a\",\"startTime\":1700000000000000,\"duration\":2500,\"tags\":"
                        + "[{\"key\":\"span.kind\",\"type\":\"string\",\"value\":\"client\"},{\"key\":\"error\",\"type\":\"bool\",\"value\":true},"
                        + "{\"key\":\"peer.service\",\"value\":\"db\"}],\"logs\":[{\"fields\":[{\"key\":\"span.kind\",\"value\":\"server\"}]}]},"
                        + "{\"traceID\":\"a\",\"startTime\":1,\"duration\":1,\"tags\":[]}],\"processes\":{\"p1\":{\"serviceName\":\"x\"}}}]}",
                BY_KEY);
        assertThat(read.report().format()).isEqualTo("jaeger");
        assertThat(read.only()).isEqualTo(new Call(1_700_000_000_000_000_000L, 2_500_000, Ending.FAILURE, "db", 1));
        assertThat(read.report().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[%s]", "[[%s]]", "%s", "%s\n"})
    void aSpanOfZipkinIsACallHoweverManyListsAreAroundIt(String around) throws LogException {
        String span =
                "{\"traceId\":\"a\",\"kind\":\"CLIENT\",\"timestamp\":1700000000000000,\"remoteEndpoint\":{\"serviceName\":\"db\","
                        + "\"ipv4\":\"10.0.0.1\",\"port\":80},\"tags\":{\"http.status_code\":\"503\",\"http.path\":\"/a/b\"}}";
        var read = Logs.read(around.replace("%s", span), BY_KEY);
        assertThat(read.report().format()).isEqualTo("zipkin");
        assertThat(read.only())
                .isEqualTo(new Call(1_700_000_000_000_000_000L, CallCursor.UNKNOWN, Ending.FAILURE, "db", 1));
    }

    private static String batch(String resource, String span) {
        return "{" + resource
                + "\"scopeSpans\":[{\"spans\":[{\"traceId\":\"5b8e\",\"startTimeUnixNano\":1700000000000000000,\"kind\":3"
                + span + "}]}]}";
    }

    private static String resource(String service) {
        return "\"resource\":{\"attributes\":[{\"key\":\"host.name\",\"value\":{\"stringValue\":\"h\"}},"
                + "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"" + service
                + "\"}}],\"droppedAttributesCount\":0},";
    }

    @Test
    void aSpanThatSaysNothingOfWhereItWentHasTheServiceOfItsResourceAsKey() throws LogException {
        String peer = attribute("peer.service", "stringValue", "\"db\"");
        String log = "{\"resourceSpans\":[" + batch(resource("shop"), "") + "," + batch(resource("cart"), peer) + ","
                + batch("", "") + "," + batch("\"resource\":null,", "") + "]}";
        assertThat(Logs.read(log, BY_KEY.withFormat("otlp")).calls())
                .extracting(Call::key)
                .containsExactlyInAnyOrder("from shop", "db", "-", "-");
        assertThat(Logs.read(log, BY_KEY.withFormat("otlp").withBy(KeyBy.HOST)).calls())
                .extracting(Call::key)
                .containsOnly("-");
    }

    private static String jaegerTrace(String before, String tags, String after) {
        return "{" + before
                + "\"spans\":[{\"traceID\":\"a\",\"startTime\":1700000000000000,\"duration\":1,\"processID\":\"p1\",\"tags\":"
                + "[{\"key\":\"span.kind\",\"value\":\"client\"}" + tags + "]}]" + after + "}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "`\"processes\":{\"p1\":{\"serviceName\":\"shop\",\"tags\":[]}},`;``;``;from shop",
                "``;``;`,\"warnings\":{\"w\":1},\"processes\":{\"p0\":{},\"p1\":{\"serviceName\":\"shop\"}}`;from shop",
                "``;`,{\"key\":\"peer.service\",\"value\":\"db\"}`;`,\"processes\":{\"p1\":{\"serviceName\":\"shop\"}}`;db",
                "``;``;`,\"processes\":{\"p2\":{\"serviceName\":\"shop\"}}`;-",
                "``;``;`,\"processes\":[]`;-",
                "``;``;``;-"
            })
    void aSpanOfJaegerThatSaysNothingOfWhereItWentHasTheServiceOfItsProcessAsKey(
            String before, String tags, String after, String key) throws LogException {
        String other = jaegerTrace("", "", ",\"processes\":{\"p1\":{\"serviceName\":\"other\"}}");
        String log = "{\"data\":[" + other + "," + jaegerTrace(before, tags, after) + "," + other + "]}";
        assertThat(Logs.read(log, BY_KEY.withFormat("jaeger")).calls())
                .extracting(Call::key)
                .containsExactlyInAnyOrder("from other", key, "from other");
    }

    @Test
    void spansOfATraceThatBreaksOffAreCallsAllTheSame() throws LogException {
        String log = "{\"data\":[" + jaegerTrace("", "", "");
        assertThat(Logs.read(log, BY_KEY.withFormat("jaeger")).only().key()).isEqualTo("-");
        String broken = "{\"data\":[" + jaegerTrace("", "", ", oops");
        assertThat(Logs.read(broken, BY_KEY.withFormat("jaeger")).only().key()).isEqualTo("-");
    }

    @Test
    void aSpanOfZipkinThatSaysNothingOfWhereItWentHasTheServiceThatMadeItAsKey() throws LogException {
        String span = "{\"traceId\":\"a\",\"kind\":\"CLIENT\",\"timestamp\":1700000000000000,"
                + "\"localEndpoint\":{\"serviceName\":\"shop\",\"ipv4\":\"10.0.0.1\"}}";
        assertThat(Logs.read(span, BY_KEY.withFormat("zipkin")).only().key()).isEqualTo("from shop");
        assertThat(Logs.read(span, BY_KEY.withFormat("zipkin").withBy(KeyBy.UPSTREAM))
                        .only()
                        .key())
                .isEqualTo("-");
    }

    @ParameterizedTest
    @CsvSource({"/a/b?c,/a", "https://h:1/x/y,/x", "https://h,-", "/,/", "'',-"})
    void pathsAreCutBehindTheirFirstPart(String path, String key) throws LogException {
        String json = otlp(attribute("url.full", "stringValue", "\"" + path + "\""));
        assertThat(Logs.read(json, LogOptions.standard().withFormat("otlp").withBy(KeyBy.PATH1))
                        .only()
                        .key())
                .isEqualTo(key);
    }

    @Test
    void behindABrokenDocumentTheNextLineIsReadAgain() throws LogException {
        String good = otlp("");
        var read = Logs.read("otlp", good + "\n{\"resourceSpans\": oops}\n" + good + "\n");
        assertThat(read.calls()).hasSize(2);
        assertThat(read.report().unparsable()).isEqualTo(1);
        assertThat(read.report().failing()).isTrue();
    }

    @Test
    void aDocumentThatDoesNotEndIsADamage() throws LogException {
        String good = otlp("");
        var read = Logs.read("otlp", good + good.substring(0, good.length() - 20));
        assertThat(read.calls()).hasSize(1);
        assertThat(read.report().damages()).singleElement().asString().contains("beyond line 1", "does not end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"startTimeUnixNano\":\"x\"",
                ",\"startTimeUnixNano\":-5",
                ",\"endTimeUnixNano\":5",
                ",\"startTimeUnixNano\":[1]",
                ",\"attributes\":[{\"key\":\"http.status_code\",\"value\":{\"intValue\":7}}]"
            })
    void aSpanWithoutASensibleTimeOrStatusIsUnparsable(String wrong) throws LogException {
        assertThat(Logs.read("otlp", otlp(wrong)).report().unparsable()).isEqualTo(1);
    }
}
