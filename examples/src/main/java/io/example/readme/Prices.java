package io.example.readme;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.fallback.Fallback;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.retry.Retry;
import io.nopanic.timeout.Timeout;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;

/** Asks a price service that fails now and then. */
public final class Prices {

    /** The service that is guarded. */
    @FunctionalInterface
    public interface Client {

        /** Asks for a price, over the network. */
        BigDecimal priceOf(String article) throws IOException;
    }

    private final Client client;

    // region guard
    private final CircuitBreaker breaker = CircuitBreaker.builder()
            .name("price service")
            .failureRate(0.5)
            .openFor(Duration.ofSeconds(10))
            .ignore(IllegalArgumentException.class)
            .build();

    private final Pipeline prices = Pipeline.of(
            Fallback.<BigDecimal>builder().lastGood(Duration.ofMinutes(10)).build(),
            Retry.ofAttempts(3),
            breaker,
            Bulkhead.of(20),
            Timeout.of(Duration.ofMillis(800)));

    /** The price of an article, or the last one known if the service does not answer. */
    public BigDecimal priceOf(String article) throws Exception {
        return prices.call(() -> client.priceOf(article));
    }
    // endregion

    /** Asks through this client. */
    public Prices(Client client) {
        this.client = client;
    }

    /** The pipeline, for people. */
    public String describe() {
        return prices.describe();
    }
}
