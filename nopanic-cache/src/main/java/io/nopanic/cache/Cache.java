package io.nopanic.cache;

import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.spi.Substitution;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the results of calls by key, and answers with them.
 *
 * <pre>{@code
 * Cache<String, Price> prices = Cache.<String, Price>builder()
 *         .ttl(Duration.ofSeconds(30))
 *         .staleIfError(Duration.ofMinutes(10))
 *         .build();
 * Price price = prices.get(sku, () -> guarded.call(() -> client.price(sku)));
 * }</pre>
 *
 * <p><b>One load per key at a time.</b> Of the calls that need the same missing or expired value one, the leader, is made; the others wait for
 * it and share its result or its failure, as the same object. When the leader is cancelled or interrupted, or ends with an {@link Error}, they do not
 * share that: one of them takes its place.
 *
 * <p><b>Stale values.</b> For {@link Builder#staleWhileRevalidate} after its time to live a value is answered at once, while one call refreshes it in
 * the background. For {@link Builder#staleIfError} after its time to live a value is answered when the refresh failed or was refused by a
 * policy further in; its age is measured when that call is over. After a failed refresh no other is tried for {@link Builder#refreshPause}, and
 * the stale value is answered at once as long as it may be.
 *
 * <p><b>What is kept.</b> Results that the {@link Classifier} takes for a success. A {@code null} result is passed on, shared with those
 * who wait, and not kept; it removes an older value. Failures are shared with those who wait and not kept: without a stale value the next
 * call is made.
 *
 * <p>A {@code null} key means that this call has nothing to do with the cache. A call may load other keys while it loads one; a blocking call that
 * asks for its own key on its own thread fails with {@link IllegalStateException} instead of waiting for itself.
 *
 * <p>Thread-safe. No thread is started here and no lock is held while code of yours runs, except for {@code equals} and {@code hashCode} of keys. A
 * hit costs a look-up and two readings of the clock, and allocates nothing. Memory is bounded by {@link Builder#maxSize} values.
 *
 * @param <K> what calls are told apart by; needs {@code equals} and {@code hashCode} that never change
 * @param <V> what calls return. A pipeline does not check it: a cache around calls of another type surfaces as a {@link ClassCastException}
 */
public final class Cache<K, V> extends PolicyBase {

    private final CacheCore<K> core;
    private final Executor executor;
    private final boolean hidesFailures;
    private final String description;

    private Cache(Builder<K, V> builder) {
        super(builder);
        executor = builder.executor != null ? builder.executor : DefaultExecutors.blocking();
        hidesFailures = builder.staleIfErrorNanos > 0;
        description = builder.describe();
        core = new CacheCore<>(name(), builder, timeOrSystem()::nanos, this::staleServed);
    }

    private void staleServed(long nowNanos, long ageNanos, @Nullable Throwable error) {
        if (events().isListenedTo()) {
            events().publish(new Event.StaleServed(stamp(nowNanos), ageNanos, error));
        }
    }

    /** A cache with this time to live, and the defaults for everything else. */
    public static <K, V> Cache<K, V> ofTtl(Duration ttl) {
        return Cache.<K, V>builder().ttl(ttl).build();
    }

    /** A builder; the time to live has to be given, everything else has a default. */
    public static <K, V> Builder<K, V> builder() {
        return new Builder<>();
    }

    /**
     * This cache as a stage of a pipeline. Stages of one cache share its values and its loads.
     *
     * @param keys tells the key of the call at hand, once per call and on its thread; {@code null} if the call is not to be cached. If it
     *     throws, the call fails with that and is not made.
     */
    public Substitution keyedBy(Supplier<? extends @Nullable K> keys) {
        return new KeyedCache<>(this, Objects.requireNonNull(keys, "keys"));
    }

    // ------------------------------------------------------------------------------------------------------- without a
    // pipeline

    /**
     * The value of this key, loaded if need be: the same as a call through a pipeline that holds nothing but this cache. A hit makes none.
     *
     * @param loader makes the call, usually through the pipeline that guards it
     * @return {@code null} only if the loader returned it
     * @throws Exception what the loader threw, as the same object
     * @throws InterruptedException if the thread was interrupted while it loaded or waited
     */
    public @Nullable V get(K key, Callable<? extends @Nullable V> loader) throws Exception {
        Objects.requireNonNull(loader, "loader");
        V hit = freshOrNull(key);
        return hit != null ? hit : pipeline(key).call(loader);
    }

    /**
     * The value of this key, loaded if need be, without blocking; see {@link #get(Object, Callable)}.
     *
     * @param loader starts the call
     * @return completes with what the loader's stage gives, or fails with what that or the loader threw
     */
    public CompletableFuture<@Nullable V> getAsync(
            K key, Supplier<? extends CompletionStage<? extends @Nullable V>> loader) {
        Objects.requireNonNull(loader, "loader");
        V hit = freshOrNull(key);
        return hit != null
                ? CompletableFuture.completedFuture(hit)
                : pipeline(key).callAsync(loader);
    }

    private Pipeline pipeline(K key) {
        return Pipeline.builder().name(name()).with(keyedBy(() -> key)).build();
    }

    /** The value of this key if it is there and within its time to live. Loads nothing. */
    public Optional<V> getIfFresh(K key) {
        return Optional.ofNullable(freshOrNull(key));
    }

    @SuppressWarnings("unchecked") // as a pipeline, this trusts the type of what the calls returned
    private @Nullable V freshOrNull(K key) {
        return (V) core.freshOrNull(key, timeOrSystem().nanos());
    }

    /** Keeps a value, loaded now. A load of its key that is under way is shared with those who wait for it, and not kept. */
    public void put(K key, V value) {
        core.put(key, Objects.requireNonNull(value, "value"), timeOrSystem().nanos());
    }

    /** Forgets a value. A load of its key that is under way is shared with those who wait for it, and not kept. */
    public void invalidate(K key) {
        core.invalidate(key);
    }

    /** Forgets every value. Loads that are under way are shared with those who wait for them, and not kept. */
    public void invalidateAll() {
        core.invalidateAll();
    }

    /** How many values are kept now, stale ones included. */
    public long size() {
        return core.size();
    }

    /** The settings in one line, for people. */
    public String describe() {
        return description;
    }

    /** The time it runs on; a pipeline with it has to run on the same. */
    @Override
    public Optional<Time> time() {
        return Optional.of(timeOrSystem());
    }

    CacheCore<K> core() {
        return core;
    }

    Executor executor() {
        return executor;
    }

    boolean hidesFailures() {
        return hidesFailures;
    }

    /**
     * Collects the settings of a cache. Not thread-safe.
     *
     * @param <K> the type of the keys
     * @param <V> the type of the values
     */
    public static final class Builder<K, V> extends PolicyBuilder<Builder<K, V>, Cache<K, V>> {

        private static final long DEFAULT_MAX_SIZE = 10_000;

        long ttlNanos;
        long staleIfErrorNanos;
        long staleWhileRevalidateNanos;
        long refreshPauseNanos = 1_000_000_000L;
        long maxSize = DEFAULT_MAX_SIZE;
        Classifier classifier = Classifier.standard();
        private @Nullable Executor executor;

        private Builder() {
            super("cache");
        }

        @Override
        protected Builder<K, V> self() {
            return this;
        }

        /**
         * The cache.
         *
         * @throws IllegalArgumentException if no time to live was given
         */
        @Override
        public Cache<K, V> build() {
            if (ttlNanos == 0) {
                throw Require.refused("ttl", "not given", "a duration longer than zero");
            }
            return new Cache<>(this);
        }

        /** For how long a value is answered without another call, from the end of the one that loaded it; more than zero. No default. */
        public Builder<K, V> ttl(Duration value) {
            ttlNanos = Require.positive("ttl", value);
            return this;
        }

        /** For how long after its time to live a value is answered when a refresh fails. Default: zero, never. */
        public Builder<K, V> staleIfError(Duration value) {
            staleIfErrorNanos = Require.notNegative("staleIfError", value);
            return this;
        }

        /** For how long after its time to live a value is answered at once and refreshed in the background. Default: zero, never. */
        public Builder<K, V> staleWhileRevalidate(Duration value) {
            staleWhileRevalidateNanos = Require.notNegative("staleWhileRevalidate", value);
            return this;
        }

        /** For how long after a failed refresh the stale value is answered without another try; more than zero. Default: 1 second. */
        public Builder<K, V> refreshPause(Duration value) {
            refreshPauseNanos = Require.positive("refreshPause", value);
            return this;
        }

        /** How many values are kept at most, 1 or more; the least useful go first, as Caffeine sees it. Default: 10 000. */
        public Builder<K, V> maxSize(long value) {
            maxSize = Require.between("maxSize", value, 1, Long.MAX_VALUE);
            return this;
        }

        /** Which results are kept, and which failures a stale value may stand in for. Default: {@link Classifier#standard()}. */
        public Builder<K, V> classifier(Classifier value) {
            classifier = Objects.requireNonNull(value, "classifier");
            return this;
        }

        /** Where blocking calls run that refresh in the background. Default: {@link DefaultExecutors#blocking()}. */
        public Builder<K, V> executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        private String describe() {
            return "ttl " + Nanos.toDuration(ttlNanos)
                    + (staleIfErrorNanos == 0 ? "" : ", stale if error for " + Nanos.toDuration(staleIfErrorNanos))
                    + (staleWhileRevalidateNanos == 0
                            ? ""
                            : ", stale while revalidating for " + Nanos.toDuration(staleWhileRevalidateNanos))
                    + ", pause after a failed refresh " + Nanos.toDuration(refreshPauseNanos)
                    + ", at most " + maxSize + " values";
        }
    }
}
