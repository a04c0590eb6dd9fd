package io.example.quota;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

// region policy
/**
 * At most so many calls per period, as a provider's contract has it; a call that a policy further in refused is not charged. Thread-safe.
 */
public final class Quota extends PolicyBase implements Admission {

    /** The calls charged in one period. Immutable; replaced as a whole. */
    private record Period(long startNanos, int used) {}

    private final int calls;
    private final long periodNanos;
    private final AtomicReference<Period> current;

    private Quota(Builder builder) {
        super(builder);
        calls = builder.calls;
        periodNanos = builder.periodNanos;
        current = new AtomicReference<>(new Period(timeOrSystem().nanos(), 0));
    }

    /** A builder; the quota has to be named. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Optional<Time> time() {
        return Optional.of(timeOrSystem());
    }

    @Override
    public String describe() {
        return calls + " calls per " + Nanos.toDuration(periodNanos);
    }

    @Override
    public boolean readsTimeOnSettle() {
        return false;
    }

    /** The permit is the start of the period that is charged, made positive. */
    @Override
    public long tryAcquire(long nowNanos) {
        for (; ; ) {
            Period seen = Objects.requireNonNull(current.get());
            long ageNanos = nowNanos - seen.startNanos();
            Period next = ageNanos < periodNanos
                    ? new Period(seen.startNanos(), seen.used() + 1)
                    : new Period(nowNanos - ageNanos % periodNanos, 1);
            if (next.used() > calls) {
                return NOT_NOW;
            }
            if (current.compareAndSet(seen, next)) {
                return next.startNanos() & Long.MAX_VALUE;
            }
        }
    }

    @Override
    public Entry enter(EntryRequest request) {
        long permit = tryAcquire(request.nowNanos());
        if (permit >= 0) {
            return new Entry.Admitted(permit);
        }
        long startNanos = Objects.requireNonNull(current.get()).startNanos();
        long leftNanos = periodNanos - (request.nowNanos() - startNanos);
        return new Entry.Refused(new QuotaExceededException(name(), request.pipeline(), Math.max(0, leftNanos)));
    }

    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        if (error instanceof RejectedException) {
            current.updateAndGet(period -> (period.startNanos() & Long.MAX_VALUE) == permit && period.used() > 0
                    ? new Period(period.startNanos(), period.used() - 1)
                    : period);
        }
        return null;
    }

    /** Settings. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder, Quota> {

        private int calls = 1000;
        private long periodNanos = Nanos.of(Duration.ofDays(1));

        private Builder() {
            super("quota");
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** How many calls; at least 1, default 1000. */
        public Builder calls(int value) {
            calls = Require.between("calls", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /** Per how long; more than zero, default a day. */
        public Builder per(Duration value) {
            periodNanos = Require.positive("per", value);
            return this;
        }

        @Override
        public Quota build() {
            return new Quota(this);
        }
    }
}
// endregion
