package io.nopanic.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.nopanic.cache.Cached.FailedRefresh;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.Outcome;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.Substitute;
import io.nopanic.time.Nanos;
import io.nopanic.time.Ticker;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a cache. Thread-safe.
 *
 * <p><b>Theory of operation.</b> Two maps: {@code store} holds what was loaded, and {@code loads} the loads under way, one per key at most. A
 * call that finds no usable value claims the load by {@code putIfAbsent} and becomes its leader; any other gets the leader's signal. A load's end
 * first changes the store, then leaves {@code loads}, then completes the signal. So a call that finds no load after it found no value may have
 * missed one that ended between the two looks, and looks at the value again once it has claimed.
 *
 * <p>An update of the store by a load, and an invalidation, run under the lock of the key's place in {@code loads}; a load that was
 * taken out of {@code loads} by an invalidation keeps nothing. Nothing of the user's runs there except for {@code equals} and
 * {@code hashCode} of keys. The order of the locks is {@code loads}, then {@code store}.
 *
 * @param <K> the type of the keys
 */
final class CacheCore<K> {

    /** Caffeine takes an update within a second of the one before for as old as that; values live that much longer in it. */
    private static final long STORE_TOLERANCE_NANOS = 1_000_000_001L;

    /** Is told whenever a value is answered past its time to live. */
    @FunctionalInterface
    interface Listener {
        void staleServed(long nowNanos, long ageNanos, @Nullable Throwable error);
    }

    private final String name;
    private final long ttlNanos;
    private final long staleIfErrorNanos;
    private final long staleWhileRevalidateNanos;
    private final long refreshPauseNanos;
    private final Classifier classifier;
    private final Listener listener;
    private final com.github.benmanes.caffeine.cache.Cache<K, Cached> store;
    private final ConcurrentMap<K, Load<K>> loads = new ConcurrentHashMap<>();
    private final ReportedOnce faults =
            new ReportedOnce(Cache.class, "a cache could not keep a result; the call's own end stands");

    CacheCore(String name, Cache.Builder<K, ?> settings, Ticker ticker, Listener listener) {
        this.name = name;
        this.listener = listener;
        ttlNanos = settings.ttlNanos;
        staleIfErrorNanos = settings.staleIfErrorNanos;
        staleWhileRevalidateNanos = settings.staleWhileRevalidateNanos;
        refreshPauseNanos = settings.refreshPauseNanos;
        classifier = settings.classifier;
        long keptNanos = Nanos.plus(ttlNanos, Math.max(staleIfErrorNanos, staleWhileRevalidateNanos));
        store = Caffeine.newBuilder()
                .maximumSize(settings.maxSize)
                .expireAfterWrite(Nanos.toDuration(Nanos.plus(keptNanos, STORE_TOLERANCE_NANOS)))
                .ticker(ticker::nanos)
                .executor(Runnable::run)
                .build();
    }

    // ------------------------------------------------------------------------------------------------------------ by
    // hand

    @Nullable Object freshOrNull(K key, long nowNanos) {
        Cached seen = store.getIfPresent(key);
        return seen != null && seen.isYoungerThan(ttlNanos, nowNanos)
                ? seen.answer().value()
                : null;
    }

    void put(K key, Object value, long nowNanos) {
        Cached cached = new Cached(new Substitute.Value(value), nowNanos);
        loads.compute(key, (same, underWay) -> {
            store.put(same, cached);
            return null;
        });
    }

    void invalidate(K key) {
        loads.compute(key, (same, underWay) -> {
            store.invalidate(same);
            return null;
        });
    }

    /**
     * Loads that began before this must not keep what they find, so they are forgotten before the values are. Those that began since may hold a
     * value that was still there, to stand in for a failure; so they are forgotten after the values are, too.
     */
    void invalidateAll() {
        loads.clear();
        store.invalidateAll();
        loads.clear();
    }

    long size() {
        store.cleanUp();
        return store.estimatedSize();
    }

    // ----------------------------------------------------------------------------------------------------- before the
    // call

    Substitute before(K key, long nowNanos, boolean blocking) {
        Cached seen = store.getIfPresent(key);
        Substitute ready = ready(seen, nowNanos);
        if (ready != null) {
            return ready;
        }
        Load<K> underWay = underWay(key);
        if (underWay == null) {
            Load<K> mine = new Load<>(key, blocking ? Thread.currentThread() : null);
            underWay = loads.putIfAbsent(key, mine);
            if (underWay == null) {
                return leadOrLetGo(mine, nowNanos);
            }
        }
        if (seen != null && mayRevalidate(seen, nowNanos)) {
            return stale(seen, nowNanos, null);
        }
        if (underWay.runsOnThisThread()) {
            return new Substitute.Failure(new IllegalStateException(
                    "a load asks for its own key and would wait for itself [cache '" + name + "']"));
        }
        return new Substitute.AskAgain(underWay.signal);
    }

    /** An answer for which nothing has to be loaded. */
    private @Nullable Substitute ready(@Nullable Cached seen, long nowNanos) {
        if (seen == null) {
            return null;
        }
        if (seen.isYoungerThan(ttlNanos, nowNanos)) {
            return seen.answer();
        }
        FailedRefresh failure = seen.failureWithin(refreshPauseNanos, nowNanos);
        if (failure != null && (mayStandIn(seen, nowNanos) || mayRevalidate(seen, nowNanos))) {
            return stale(seen, nowNanos, failure.error());
        }
        return null;
    }

    /** A load that has ended and is still there could not be removed because its key has changed since; it is as good as none. */
    private @Nullable Load<K> underWay(K key) {
        Load<K> found = loads.get(key);
        if (found != null && found.isOver()) {
            loads.remove(key, found);
            return null;
        }
        return found;
    }

    /** A load that cannot be made must not keep others waiting. */
    private Substitute leadOrLetGo(Load<K> mine, long nowNanos) {
        try {
            return lead(mine, nowNanos);
        } catch (Throwable thrown) {
            try {
                loads.remove(mine.key, mine);
            } finally {
                mine.signal.complete(null);
            }
            throw thrown;
        }
    }

    /** Between the look at the value and the claim of the load another load may have ended, so the value is looked at again. */
    private Substitute lead(Load<K> mine, long nowNanos) {
        Cached seen = store.getIfPresent(mine.key);
        Substitute ready = ready(seen, nowNanos);
        if (ready != null) {
            loads.remove(mine.key, mine);
            mine.signal.complete(null);
            return ready;
        }
        mine.stale = seen;
        if (seen != null && mayRevalidate(seen, nowNanos)) {
            mine.inBackground = true;
            return new Substitute.Refresh(stale(seen, nowNanos, null).value(), mine);
        }
        return new Substitute.Proceed(mine);
    }

    private boolean mayRevalidate(Cached seen, long nowNanos) {
        return seen.isYoungerThan(Nanos.plus(ttlNanos, staleWhileRevalidateNanos), nowNanos);
    }

    private boolean mayStandIn(Cached seen, long nowNanos) {
        return seen.isYoungerThan(Nanos.plus(ttlNanos, staleIfErrorNanos), nowNanos);
    }

    private Substitute.Value stale(Cached seen, long nowNanos, @Nullable Throwable error) {
        listener.staleServed(nowNanos, seen.ageNanos(nowNanos), error);
        return seen.answer();
    }

    // ------------------------------------------------------------------------------------------------------ after the
    // call

    /** Whatever happens here, those who wait are told. */
    @Nullable Substitute after(Load<K> load, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        if (!load.end()) {
            return null;
        }
        try {
            return settle(load, nowNanos, result, error);
        } catch (Throwable broken) {
            faults.thrown(broken);
            return null;
        } finally {
            load.signal.complete(null);
        }
    }

    private @Nullable Substitute settle(
            Load<K> load, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        Outcome outcome = classifier.of(result, error);
        if (outcome == Outcome.SUCCESS) {
            Substitute.Value answer = new Substitute.Value(result);
            keep(load, result == null ? null : new Cached(answer, nowNanos));
            load.signal.complete(answer);
            return null;
        }
        Throwable failure = error == null ? null : Failures.unwrap(error);
        if (outcome == Outcome.CANCELLED || failure instanceof Error) {
            loads.remove(load.key, load);
            return null;
        }
        boolean refreshFailed = outcome == Outcome.FAILURE || failure instanceof RejectedException;
        Cached stale = load.stale;
        if (refreshFailed && stale != null) {
            stale.refreshFailed(nowNanos, failure);
        }
        boolean stillWanted = loads.remove(load.key, load);
        if (refreshFailed && stale != null && stillWanted && mayStandIn(stale, nowNanos)) {
            load.signal.complete(
                    new Substitute.Compute(() -> stale(stale, nowNanos, failure).value()));
            return load.inBackground ? null : stale(stale, nowNanos, failure);
        }
        load.signal.complete(error == null ? new Substitute.Value(result) : new Substitute.Failure(error));
        return null;
    }

    /** Keeps what was loaded, or that there is nothing, unless the key was invalidated meanwhile: both go by the lock of its place in the map. */
    private void keep(Load<K> load, @Nullable Cached loaded) {
        loads.computeIfPresent(load.key, (key, underWay) -> {
            if (underWay != load) {
                return underWay;
            }
            if (loaded == null) {
                store.invalidate(key);
            } else {
                store.put(key, loaded);
            }
            return null;
        });
    }
}
