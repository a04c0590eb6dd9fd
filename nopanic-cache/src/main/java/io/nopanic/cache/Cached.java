package io.nopanic.cache;

import io.nopanic.spi.Substitute;
import org.jspecify.annotations.Nullable;

/**
 * A value in the cache, ready to be answered with. Thread-safe.
 *
 * <table>
 * <caption>Shared state</caption>
 * <tr><th>field</th><th>written by</th><th>mode</th></tr>
 * <tr><td>lastFailure</td><td>whoever's refresh of this value failed; the last one stays</td><td>volatile</td></tr>
 * </table>
 */
final class Cached {

    /** A refresh that did not work; {@code error} is {@code null} if it returned a bad result. */
    record FailedRefresh(long atNanos, @Nullable Throwable error) {}

    private final Substitute.Value answer;
    private final long loadedNanos;
    private volatile @Nullable FailedRefresh lastFailure;

    Cached(Substitute.Value answer, long loadedNanos) {
        this.answer = answer;
        this.loadedNanos = loadedNanos;
    }

    Substitute.Value answer() {
        return answer;
    }

    /** Whether less than {@code limitNanos} have passed since it was loaded. */
    boolean isYoungerThan(long limitNanos, long nowNanos) {
        return ageNanos(nowNanos) < limitNanos;
    }

    long ageNanos(long nowNanos) {
        return nowNanos - loadedNanos;
    }

    void refreshFailed(long nowNanos, @Nullable Throwable error) {
        lastFailure = new FailedRefresh(nowNanos, error);
    }

    /** The last failure to refresh it, if that is less than {@code pauseNanos} ago. */
    @Nullable FailedRefresh failureWithin(long pauseNanos, long nowNanos) {
        FailedRefresh failure = lastFailure;
        return failure == null || nowNanos - failure.atNanos >= pauseNanos ? null : failure;
    }
}
