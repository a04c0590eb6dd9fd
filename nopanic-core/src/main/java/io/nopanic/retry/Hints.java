package io.nopanic.retry;

import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.ReportedOnce;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how long the other side asks to stay away. Immutable and thread-safe; used only when an attempt has failed.
 * Errors are handed in unwrapped.
 */
final class Hints {

    /** Nobody asked for anything. */
    static final long NONE = 0;

    private static final long FIXED_SPREAD_NANOS = 50_000_000;
    private static final int SPREAD_DIVISOR = 20;

    private final List<Source<?>> sources;
    private final long capNanos;
    private final ReportedOnce faults = new ReportedOnce(
            Retry.class, "what reads a hint from an outcome threw; the outcome is taken to carry none");

    /**
     * Asks these sources and everything that {@link HasRetryAfter}.
     *
     * @param capNanos the longest hint that is followed as given; 0 to follow none
     */
    Hints(List<Source<?>> more, long capNanos) {
        List<Source<?>> all = new ArrayList<>();
        all.add(new Source<>(HasRetryAfter.class, HasRetryAfter::retryAfter));
        all.addAll(more);
        sources = capNanos == 0 ? List.of() : List.copyOf(all);
        this.capNanos = capNanos;
    }

    /** The longest hint, cut to the cap; {@link #NONE} if there is none or it is not positive. */
    long of(@Nullable Object result, @Nullable Throwable error) {
        Object carrier = error != null ? error : result;
        long longest = NONE;
        for (Source<?> source : sources) {
            longest = Math.max(longest, read(source, carrier));
        }
        return Math.min(longest, capNanos);
    }

    private long read(Source<?> source, @Nullable Object carrier) {
        try {
            return source.nanos(carrier);
        } catch (Throwable thrown) {
            faults.thrown(thrown);
            return NONE;
        }
    }

    /**
     * A delay that respects the hint: from the hint to 5 % and 50 ms more, so that those who were told the same do not
     * come back as one.
     */
    static long spread(long hintNanos, double random) {
        long widthNanos = Nanos.plus(hintNanos / SPREAD_DIVISOR, FIXED_SPREAD_NANOS);
        return Jitter.between(hintNanos, Nanos.plus(hintNanos, widthNanos), random);
    }

    String describe() {
        return capNanos == 0 ? "hints ignored" : "hints followed up to " + Nanos.toDuration(capNanos);
    }

    /** Where a hint may be found. */
    record Source<T>(Class<T> type, Function<? super T, Optional<Duration>> read) {

        Source {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(read, "read");
        }

        private long nanos(@Nullable Object carrier) {
            if (!type.isInstance(carrier)) {
                return NONE;
            }
            return read.apply(type.cast(carrier)).map(Nanos::of).orElse(NONE);
        }
    }
}
