package io.nopanic.fallback;

import io.nopanic.spi.Substitute;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the latest good result. Thread-safe, constant in size.
 *
 * <table>
 * <caption>Shared state</caption>
 * <tr><th>field</th><th>written by</th><th>mode</th></tr>
 * <tr><td>latest</td><td>every call that returned a good result</td><td>volatile compare-and-set</td></tr>
 * </table>
 */
final class LastGood {

    private record Good(@Nullable Object value, long atNanos) {}

    private final AtomicReference<@Nullable Good> latest = new AtomicReference<>();

    /** Calls end in any order: an older result never replaces a newer one. */
    void remember(@Nullable Object value, long nowNanos) {
        Good mine = new Good(value, nowNanos);
        Good seen = latest.get();
        while ((seen == null || nowNanos - seen.atNanos >= 0) && !latest.compareAndSet(seen, mine)) {
            seen = latest.get();
        }
    }

    /** The latest good result if it is at most that old, else {@code null}. */
    @Nullable Substitute notOlderThan(long maxAgeNanos, long nowNanos) {
        Good seen = latest.get();
        return seen == null || nowNanos - seen.atNanos > maxAgeNanos ? null : new Substitute.Value(seen.value);
    }
}
