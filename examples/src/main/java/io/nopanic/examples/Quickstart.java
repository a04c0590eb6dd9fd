package io.nopanic.examples;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.fallback.Fallback;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.retry.Retry;
import io.nopanic.timeout.Timeout;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The example that the README shows. */
public final class Quickstart {

    private Quickstart() {}

    /** The price of one article, asked for by a blocking call and by an asynchronous one. */
    public static List<BigDecimal> prices(PriceClient client) throws Exception {
        // region quickstart
        CircuitBreaker breaker = CircuitBreaker.builder()
                .name("prices")
                .failureRate(0.5)
                .slowAfter(Duration.ofSeconds(1))
                .slowCallRate(0.5)
                .openFor(Duration.ofSeconds(10))
                .ignore(IllegalArgumentException.class)
                .build();

        Pipeline prices = Pipeline.builder()
                .name("prices")
                .with(Fallback.<BigDecimal>builder()
                        .lastGood(Duration.ofMinutes(10))
                        .build())
                .with(Retry.builder().attempts(3).build())
                .with(breaker)
                .with(Bulkhead.of(20))
                .with(Timeout.of(Duration.ofMillis(800)))
                .build();

        BigDecimal price = prices.call(() -> client.priceOf("A-1"));
        CompletableFuture<BigDecimal> later = prices.callAsync(() -> client.priceOfAsync("A-1"));
        // endregion
        return List.of(price, later.get());
    }

    /** A client of a remote service that knows prices. */
    public interface PriceClient {

        /** The price, once the service has answered. */
        BigDecimal priceOf(String article) throws IOException;

        /** The price, at some time. */
        CompletableFuture<BigDecimal> priceOfAsync(String article);
    }
}
