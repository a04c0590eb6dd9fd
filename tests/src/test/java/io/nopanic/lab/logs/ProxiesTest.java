package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.Logs.Call;
import io.nopanic.lab.logs.format.KeyBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envoy, load balancers and Apache. */
class ProxiesTest {

    private static final long SECOND = 1_000_000_000L;

    private static String envoy(String status, String flags, String duration) {
        return "[2023-11-14T22:13:20.250Z] \"GET /api/cart HTTP/1.1\" " + status + " " + flags + " 0 5 " + duration
                + " - \"-\" \"curl/8 (\\\"x\\\")\" \"c0ffee\" \"shop:80\" \"10.0.0.1:80\"\n";
    }

    private static String istio(String flags) {
        return "[2023-11-14T22:13:20.250Z] \"GET /api/cart HTTP/1.1\" 503 " + flags
                + " via_upstream - \"-\" 0 5 40 - \"-\" \"curl/8\" \"c0ffee\" \"shop:80\" \"10.0.0.1:80\""
                + " outbound|80||shop.ns.svc.cluster.local 10.1.1.1:4 10.2.2.2:80 10.1.1.1:3 - default\n";
    }

    @Test
    void envoyWritesWhenACallBegan() throws LogException {
        var read = Logs.read(envoy("200", "-", "40"), LogOptions.standard().withBy(KeyBy.HOST));
        assertThat(read.report().format()).isEqualTo("envoy:default");
        assertThat(read.only())
                .isEqualTo(new Call(1_700_000_000 * SECOND + 250_000_000, 40_000_000, Ending.SUCCESS, "shop:80", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "503,UF,FAILURE",
        "503,'UF,URX',FAILURE",
        "404,URX,FAILURE",
        "0,URX,FAILURE",
        "0,NEW,FAILURE",
        "504,UT,TIMEOUT",
        "503,UC,FAILURE",
        "503,UH,FAILURE",
        "0,DC,IGNORED",
        "200,DC,IGNORED",
        "502,-,FAILURE",
        "404,-,IGNORED",
        "0,-,SUCCESS"
    })
    void flagsOfEnvoySayMoreThanTheStatus(String status, String flags, Ending ending) throws LogException {
        assertThat(Logs.read("envoy", envoy(status, flags, "40")).only().ending())
                .isEqualTo(ending);
    }

    @ParameterizedTest
    @CsvSource({"UO,circuit breaker", "RL,rate limit", "NR,itself", "RFCF,cache"})
    void whatEnvoyDidNotSendIsNoFailure(String flag, String reason) throws LogException {
        var read = Logs.read("envoy", envoy("503", flag, "0"));
        assertThat(read.calls()).isEmpty();
        assertThat(read.report().droppedByReason().keySet())
                .singleElement()
                .asString()
                .contains(reason, flag);
        assertThat(read.report().failing()).isFalse();
    }

    @Test
    void istioNamesTheCluster() throws LogException {
        var read = Logs.read(istio("UF"), LogOptions.standard().withBy(KeyBy.KEY));
        assertThat(read.report().format()).isEqualTo("envoy:istio");
        assertThat(read.only().key()).isEqualTo("outbound|80||shop.ns.svc.cluster.local");
    }

    @Test
    void envoyWritesJsonToo() throws LogException {
        var read = Logs.read(
                "{\"start_time\":\"2023-11-14T22:13:20.250Z\",\"response_code\":504,\"response_flags\":\"UT\",\"duration\":40,"
                        + "\"upstream_cluster\":\"shop\",\"bytes\":{\"a\":[1]},\"authority\":null}",
                LogOptions.standard().withBy(KeyBy.KEY));
        assertThat(read.report().format()).isEqualTo("envoy-json");
        assertThat(read.only())
                .isEqualTo(new Call(1_700_000_000 * SECOND + 250_000_000, 40_000_000, Ending.TIMEOUT, "shop", 1));
    }

    private static String alb(String parts, String status, String target, String actions) {
        return "https 2023-11-14T22:13:21.000000Z app/lb/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 " + parts
                + " " + status + " "
                + target
                + " 34 366 \"GET https://www.example.com:443/shop/1 HTTP/1.1\" \"curl/7 \\\"x\\\"\" ECDHE TLSv1.2"
                + " arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067"
                + " \"Root=1-58337262\" \"www.example.com\" \"-\" 1 2023-11-14T22:13:20.500000Z \"" + actions
                + "\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\" TID_1\n";
    }

    @ParameterizedTest
    @CsvSource({
        "0.001 0.048 0.037,200,200,86000000,SUCCESS",
        "0.001 0.048 0.037,500,500,86000000,FAILURE",
        "0.001 0.048 0.037,502,200,86000000,FAILURE",
        "0.001 0.048 0.037,404,404,86000000,IGNORED",
        "0.001 -1 -1,504,-,500000000,TIMEOUT",
        "-1 -1 -1,503,-,500000000,FAILURE",
        "-1 -1 -1,460,-,500000000,IGNORED",
        "-1 -1 -1,200,-,500000000,FAILURE"
    })
    void aLoadBalancerSaysHowFarACallGot(String parts, String status, String target, long nanos, Ending ending)
            throws LogException {
        var read = Logs.read(
                alb(parts, status, target, "waf,forward"), LogOptions.standard().withBy(KeyBy.KEY));
        assertThat(read.report().format()).isEqualTo("alb");
        assertThat(read.only())
                .isEqualTo(new Call(1_700_000_000 * SECOND + 500_000_000, nanos, ending, "my-targets", 1));
    }

    @Test
    void whatALoadBalancerAnswersItselfIsLeftOut() throws LogException {
        var read = Logs.read("alb", alb("-1 -1 -1", "301", "-", "redirect"));
        assertThat(read.report().droppedByReason()).containsEntry("answered by the load balancer itself", 1L);
    }

    @Test
    void apacheWritesWhenARequestBegan() throws LogException {
        Call call = Logs.read(
                        "apache:%h %l %u %t \\\"%r\\\" %>s %b %D",
                        "10.0.0.1 - - [14/Nov/2023:23:13:20 +0100] \"GET / HTTP/1.1\" 503 12 250000\n")
                .only();
        assertThat(call.startNanos()).isBetween(1_700_000_000 * SECOND, 1_700_000_001 * SECOND - 1);
        assertThat(call.durationNanos()).isEqualTo(250_000_000);
        assertThat(call.ending()).isEqualTo(Ending.FAILURE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "%{sec}t.%{msec_frac}t %{ms}T %s;1700000000.250 40 200",
                "%{sec}t.%{usec_frac}t %{us}T %>s;1700000000.250000 40000 200",
                "%{msec}t %D %!400,501s %v;1700000000250 40000 200 shop",
                "%{begin:usec}t %D%% %s;1700000000250000 40000% 200"
            })
    void apacheHasTimesInMoreForms(String format, String line) throws LogException {
        assertThat(Logs.read("apache:" + format, line).only())
                .isEqualTo(new Call(1_700_000_000 * SECOND + 250_000_000, 40_000_000, Ending.SUCCESS, "all", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%T", "%{s}T"})
    void aDurationOfApacheInWholeSecondsIsNone(String seconds) throws LogException {
        var read = Logs.read("apache:%{msec}t " + seconds + " %s", "1700000000250 0 200");
        assertThat(read.only().durationNanos()).isEqualTo(CallCursor.UNKNOWN);
        assertThat(read.report().withoutDuration()).isEqualTo(1);

        assertThat(Logs.read("apache:%{msec}t " + seconds + " %D %s", "1700000000250 0 40000 200")
                        .only()
                        .durationNanos())
                .isEqualTo(40_000_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "nginx:$remote_addr $status;no time",
                "nginx:$msec $request_time;no status",
                "nginx:$msec$status;nothing between $msec and $status",
                "apache:%{msec_frac}t %s;%{msec_frac}t",
                "nginx:;no time",
                "iis;no such format"
            })
    void aFormatThatCannotDoIsRefused(String format, String message) {
        assertThatThrownBy(() -> LogOptions.standard().withFormat(format))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(format)
                .hasMessageContaining(message)
                .hasMessageContaining("jsonl");
    }

    @Test
    void whatAFormatDoesNotSayCannotTellCallsApart() {
        LogOptions options =
                LogOptions.standard().withFormat("nginx:$msec $status $host").withBy(KeyBy.UPSTREAM);
        assertThatThrownBy(() -> Logs.read("1 200 h", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("upstream")
                .hasMessageEndingWith("host, none");
    }

    @ParameterizedTest
    @CsvSource({"250000,apache:combined-timed", "0.250,nginx:combined-timed"})
    void nginxAndApacheWriteTheDurationAtTheSamePlaceInUnitsOfTheirOwn(String duration, String format)
            throws LogException {
        var read = Logs.read(
                "10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"x\" " + duration,
                LogOptions.standard());
        assertThat(read.report().format()).isEqualTo(format);
        assertThat(read.only().durationNanos()).isEqualTo(250_000_000);
    }

    @Test
    void aCombinedLogHasNoDurations() throws LogException {
        var read = Logs.read(
                "10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"x\"\n",
                LogOptions.standard().withBy(KeyBy.PATH1));
        assertThat(read.only().durationNanos()).isEqualTo(CallCursor.UNKNOWN);
        assertThat(read.only().key()).isEqualTo("/a");
        assertThat(read.report().withoutDuration()).isEqualTo(1);
        assertThat(read.report().spreadLines()).isEqualTo(1);
    }
}
