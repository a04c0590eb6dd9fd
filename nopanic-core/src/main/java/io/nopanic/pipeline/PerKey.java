package io.nopanic.pipeline;

import io.nopanic.spi.Require;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One pipeline for each key, made when the key is first asked for: for each host, shard or tenant, where these fail one by one.
 * Thread-safe.
 *
 * <pre>{@code
 * PerKey<String> hosts = PerKey.of(host -> Pipeline.of(CircuitBreaker.withDefaults(host), Bulkhead.of(10)));
 * hosts.get("db-7").call(() -> query());
 * }</pre>
 *
 * <p>How a pipeline is made is said once, so a second configuration under the same key cannot be lost. Keys that come from outside can be many:
 * their number is limited at every moment, and one too many is refused rather than forgotten.
 *
 * @param <K> the type of keys; they must have {@code equals} and {@code hashCode}
 */
public final class PerKey<K> {

    private static final int DEFAULT_MAX_KEYS = 10_000;

    private final Map<K, Pipeline> pipelines = new ConcurrentHashMap<>();
    private final Function<? super K, Pipeline> maker;
    private final int maxKeys;

    /** For how many more keys there is room, never too many: taken before a pipeline is made, given back after it has left the map. */
    private final AtomicInteger places;

    private PerKey(Function<? super K, Pipeline> maker, int maxKeys) {
        this.maker = maker;
        this.maxKeys = maxKeys;
        places = new AtomicInteger(maxKeys);
    }

    /** Makes pipelines like this, for up to 10,000 keys. */
    public static <K> PerKey<K> of(Function<? super K, Pipeline> maker) {
        return of(DEFAULT_MAX_KEYS, maker);
    }

    /**
     * Makes pipelines like this.
     *
     * @param maxKeys how many keys there may be, at least 1
     * @param maker called once for each key; must not ask this for another
     */
    public static <K> PerKey<K> of(int maxKeys, Function<? super K, Pipeline> maker) {
        Require.between("maxKeys", maxKeys, 1, Integer.MAX_VALUE);
        return new PerKey<>(Objects.requireNonNull(maker, "maker"), maxKeys);
    }

    /**
     * The pipeline of a key.
     *
     * @throws IllegalStateException if the key is new and there are too many already, with those that are being made
     */
    public Pipeline get(K key) {
        Pipeline known = pipelines.get(key);
        return known != null ? known : pipelines.computeIfAbsent(key, this::make);
    }

    /** Runs where the map makes everybody else who asks for this key wait, so whoever has no place knows that the key is new. */
    private Pipeline make(K key) {
        takePlace(key);
        boolean made = false;
        try {
            Pipeline pipeline = Objects.requireNonNull(maker.apply(key), "the pipeline that was made");
            made = true;
            return pipeline;
        } finally {
            if (!made) {
                places.incrementAndGet();
            }
        }
    }

    private void takePlace(K key) {
        if (places.getAndUpdate(free -> Math.max(0, free - 1)) == 0) {
            throw new IllegalStateException("key '" + key + "' would be one more than the " + maxKeys
                    + " allowed; remove keys that are no longer used, or allow more");
        }
    }

    /** Forgets a key; calls under way go on. {@code true} if it was known. */
    public boolean remove(K key) {
        boolean known = pipelines.remove(key) != null;
        if (known) {
            places.incrementAndGet();
        }
        return known;
    }

    /** All pipelines so far, by key; a copy. */
    public Map<K, Pipeline> all() {
        return Map.copyOf(pipelines);
    }
}
