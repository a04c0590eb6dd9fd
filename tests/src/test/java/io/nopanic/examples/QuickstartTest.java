package io.nopanic.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class QuickstartTest {

    @Test
    void givesThePriceBothWays() throws Exception {
        Quickstart.PriceClient client = new Quickstart.PriceClient() {
            @Override
            public BigDecimal priceOf(String article) {
                return BigDecimal.TEN;
            }

            @Override
            public CompletableFuture<BigDecimal> priceOfAsync(String article) {
                return CompletableFuture.completedFuture(BigDecimal.ONE);
            }
        };
        assertThat(Quickstart.prices(client)).containsExactly(BigDecimal.TEN, BigDecimal.ONE);
    }
}
