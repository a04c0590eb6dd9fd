package io.nopanic.cache;

import io.nopanic.events.Events;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
import io.nopanic.time.Time;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cache with the function that tells each call's key: the stage of a pipeline. */
final class KeyedCache<K> implements Substitution {

    private final Cache<K, ?> cache;
    private final Supplier<? extends @Nullable K> keys;

    KeyedCache(Cache<K, ?> cache, Supplier<? extends @Nullable K> keys) {
        this.cache = cache;
        this.keys = keys;
    }

    @Override
    public String name() {
        return cache.name();
    }

    @Override
    public String kind() {
        return cache.kind();
    }

    @Override
    public String describe() {
        return cache.describe();
    }

    @Override
    public Events events() {
        return cache.events();
    }

    @Override
    public Optional<Time> time() {
        return cache.time();
    }

    @Override
    public boolean hidesFailures() {
        return cache.hidesFailures();
    }

    @Override
    public Executor executor() {
        return cache.executor();
    }

    /** A key function that throws fails the call, which is not made: it is a mistake, and hiding it would hide an uncached dependency. */
    @Override
    public @Nullable Substitute before(long nowNanos, boolean blocking) {
        try {
            K key = keys.get();
            return key == null ? null : cache.core().before(key, nowNanos, blocking);
        } catch (Throwable thrown) {
            return new Substitute.Failure(thrown);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // only this cache's own tokens come back
    public @Nullable Substitute after(
            @Nullable Object token, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        return token == null ? null : cache.core().after((Load<K>) token, nowNanos, result, error);
    }

    @Override
    public String toString() {
        return cache.toString();
    }
}
