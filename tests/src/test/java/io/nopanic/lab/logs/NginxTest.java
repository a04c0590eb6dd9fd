package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.Logs.Call;
import io.nopanic.lab.logs.format.KeyBy;
import org.junit.jupiter.api.Test;

class NginxTest {

    private static final String INGRESS =
            "10.1.2.3 - - [14/Nov/2023:22:13:20 +0000] \"GET /api/cart?x=1 HTTP/1.1\" 200 21 \"-\""
                    + " \"curl/8 (\\\"x\\\")\" 80 0.500 [shop-cart-80] [] 10.0.0.7:80, 10.0.0.8:80 0, 21 0.100, 0.300 502, 200 c0ffee\n";

    @Test
    void aLineIsWrittenWhenTheRequestEnds() throws LogException {
        Call call = Logs.read("nginx:$msec $request_time $status", "1700000010.500 0.250 504\n")
                .only();
        assertThat(call).isEqualTo(new Call(1_700_000_010_250_000_000L, 250_000_000, Ending.TIMEOUT, "all", 1));
    }

    @Test
    void eachServerThatWasTriedIsACall() throws LogException {
        var read = Logs.read(INGRESS, LogOptions.standard().withBy(KeyBy.UPSTREAM));
        assertThat(read.report().format()).isEqualTo("ingress-nginx");
        assertThat(read.calls()).hasSize(2);
        Call first = read.calls().get(0);
        Call second = read.calls().get(1);
        assertThat(first.key()).isEqualTo("10.0.0.7:80");
        assertThat(first.ending()).isEqualTo(Ending.FAILURE);
        assertThat(first.durationNanos()).isEqualTo(100_000_000);
        assertThat(second.key()).isEqualTo("10.0.0.8:80");
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.startNanos() - first.startNanos()).isEqualTo(100_000_000);
        assertThat(first.startNanos()).isBetween(1_699_999_999_500_000_000L, 1_700_000_000_499_999_999L);
    }

    @Test
    void theConfigurationMayBePastedAsItIs() throws LogException {
        String format =
                "nginx:log_format timed escape=json '{\"time\":\"$time_iso8601\",'\n    '\"s\":$status,\"rt\":$request_time,\"ua\":\"$http_user_agent\"}';";
        Call call = Logs.read(
                        format, "{\"time\":\"2023-11-14T22:13:20+00:00\",\"s\":503,\"rt\":0.5,\"ua\":\"a \\\"b\\\"\"}")
                .only();
        assertThat(call.ending()).isEqualTo(Ending.FAILURE);
        assertThat(call.durationNanos()).isEqualTo(500_000_000);
    }

    @Test
    void groupsOfServersAreDividedByColons() throws LogException {
        var read = Logs.read(
                "nginx:$msec $request_time $status $upstream_addr $upstream_status $upstream_response_time",
                "1700000010.500 0.500 200 10.0.0.1:80, unix:/run/a.sock : 10.0.0.2:80 502, 504 : 200 0.1, - : 0.2\n");
        assertThat(read.calls())
                .extracting(Call::ending)
                .containsExactly(Ending.FAILURE, Ending.TIMEOUT, Ending.SUCCESS);
        assertThat(read.calls()).extracting(Call::attempt).containsExactly(1, 2, 3);
        assertThat(read.calls()).extracting(Call::durationNanos).containsExactly(100_000_000L, -1L, 200_000_000L);
    }

    @Test
    void whatNginxAnswersItselfIsLeftOut() throws LogException {
        var read = Logs.read("nginx:$msec $status $upstream_addr $upstream_status", "1700000010.500 503 - -\n");
        assertThat(read.calls()).isEmpty();
        assertThat(read.report().dropped()).isEqualTo(1);
    }

    @Test
    void aClientThatDidNotWaitIsIgnored() throws LogException {
        var read = Logs.read(
                "nginx:$msec $request_time $status $upstream_addr $upstream_status",
                "1700000010.500 1.5 499 10.0.0.1:80 -\n");
        assertThat(read.only().ending()).isEqualTo(Ending.IGNORED);
        assertThat(read.only().durationNanos()).isEqualTo(1_500_000_000);
    }

    @Test
    void listsOfDifferentLengthsAreUnparsable() throws LogException {
        var read = Logs.read("nginx:$msec $status $upstream_status $upstream_response_time", "1.5 200 502, 200 0.1\n");
        assertThat(read.report().examples().get(0).reason()).contains("different lengths");
    }

    @Test
    void linesOfOneSecondKeepTheirOrderAndFillIt() throws LogException {
        StringBuilder log = new StringBuilder();
        for (int second = 0; second < 3; second++) {
            for (int i = 0; i < 1000; i++) {
                log.append("14/Nov/2023:22:13:2")
                        .append(second)
                        .append(" +0000 ")
                        .append(i < 500 ? 200 : 503)
                        .append('\n');
            }
        }
        var read = Logs.read("nginx:$time_local $status", log.toString());
        assertThat(read.report().spreadLines()).isEqualTo(3000);
        assertThat(read.report().outOfOrder()).isZero();
        for (int i = 0; i < 3000; i++) {
            Call call = read.calls().get(i);
            assertThat(call.ending()).isEqualTo(i % 1000 < 500 ? Ending.SUCCESS : Ending.FAILURE);
            long intoNanos = call.startNanos() - 1_700_000_000_000_000_000L - i / 1000 * 1_000_000_000L;
            assertThat(intoNanos).isBetween(0L, 999_999_999L);
            // The i-th of a thousand is near the i-th thousandth.
            assertThat((double) intoNanos).isCloseTo(i % 1000 * 1e6, within(80e6));
        }
        assertThat(Logs.read("nginx:$time_local $status", log.toString()).calls())
                .isEqualTo(read.calls());
    }
}
