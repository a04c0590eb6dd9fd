/** The engine and the policies of nopanic. */
module io.nopanic.core {
    requires static org.jspecify;

    exports io.nopanic.time;
    exports io.nopanic.tuning;
    exports io.nopanic.outcome;
    exports io.nopanic.events;
    exports io.nopanic.spi;
    exports io.nopanic.fallback;
    exports io.nopanic.budget;
    exports io.nopanic.retry;
    exports io.nopanic.bulkhead;
    exports io.nopanic.timeout;
    exports io.nopanic.hedge;
    exports io.nopanic.pipeline;
    exports io.nopanic.breaker;
    exports io.nopanic.ratelimit;
}
