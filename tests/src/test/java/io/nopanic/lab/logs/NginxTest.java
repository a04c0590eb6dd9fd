package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

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
}
