package io.nopanic.timeout;

import io.nopanic.events.Event;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call that takes too long with {@link TimeoutExceededException}.
 *
 * <ul>
 *   <li>A blocking call runs on its caller's own thread, which is interrupted when the time is up, and only if it is still in the call then. It
 *       ends when the code does, so code that ignores interrupts keeps its caller waiting.
 *   <li>With {@link Builder#abandon()} a blocking call runs on another thread, and its caller is answered when the time is up, whatever
 *       the code does.
 *   <li>An asynchronous call fails when the time is up, and the stage it came from is cancelled.
 * </ul>
 *
 * <p>In each case, permits that were given further in are held until the work has really ended. A
 * {@link java.util.concurrent.TimeoutException} of the code itself comes out as it is.
 *
 * <p>Thread-safe.
 */
public final class Timeout extends PolicyBase implements Deadline {

    private final long timeoutNanos;
    private final @Nullable Executor abandonOn;
    private final boolean interrupts;
    private final AtomicInteger stuck = new AtomicInteger();

    private Timeout(Builder builder, long timeoutNanos) {
        super(builder);
        this.timeoutNanos = timeoutNanos;
        abandonOn = builder.abandonOn;
        interrupts = builder.interrupts;
    }

    /**
     * A timeout that interrupts or cancels.
     *
     * @throws IllegalArgumentException if the duration is zero or negative
     */
    public static Timeout of(Duration after) {
        return builder().after(after).build();
    }

    /** A builder; {@link Builder#after} has to be set. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public Optional<Executor> abandonOn() {
        return Optional.ofNullable(abandonOn);
    }

    @Override
    public boolean interrupts() {
        return interrupts;
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (events().isListenedTo()) {
            events().publish(new Event.TimedOut(stamp(nowNanos), timeoutNanos));
        }
    }

    @Override
    public void onAbandoned() {
        stuck.incrementAndGet();
    }

    @Override
    public void onAbandonedEnded() {
        stuck.decrementAndGet();
    }

    /** How many threads are still busy with code whose caller has been answered. Only abandoned calls are counted. */
    public int stuck() {
        return Math.max(0, stuck.get());
    }

    /** The setting, as in {@code after PT2S, interrupts}. */
    @Override
    public String describe() {
        String end = abandonOn == null ? "interrupts" : interrupts ? "interrupts and abandons" : "abandons";
        return "after " + Nanos.toDuration(timeoutNanos) + ", " + end;
    }

    /** Settings of a timeout. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder, Timeout> {

        private static final long UNSET = 0;

        private long timeoutNanos = UNSET;
        private @Nullable Executor abandonOn;
        private boolean interrupts = true;

        private Builder() {
            super("timeout");
        }

        /**
         * How long a call may take, kept to the nanosecond: more than zero. Longer than about 73 years is cut to that. Has no default,
         * because none suits more than one dependency.
         *
         * @throws IllegalArgumentException if it is zero or negative
         */
        public Builder after(Duration value) {
            timeoutNanos = Require.positive("after", value);
            return this;
        }

        /**
         * Answer a blocking call's caller when the time is up even if the code ignores interrupts: it runs on
         * {@link DefaultExecutors#blocking()}. Default: it runs on the caller's own thread.
         */
        public Builder abandon() {
            return abandonOn(DefaultExecutors.blocking());
        }

        /**
         * As {@link #abandon()}, on this executor. The time counts from when the call is handed to it, so a full pool uses it up; an
         * executor that refuses ends the call with its exception.
         */
        public Builder abandonOn(Executor executor) {
            abandonOn = Objects.requireNonNull(executor, "abandonOn");
            return this;
        }

        /**
         * Whether a blocking call that is abandoned is interrupted too. Turn it off for code that an interrupt would break, such as
         * some file channels and drivers that close their connection. Default: yes.
         */
        public Builder interrupt(boolean value) {
            interrupts = value;
            return this;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * The timeout.
         *
         * @throws IllegalArgumentException if {@link #after} was not set, or if the call is neither to be interrupted nor to be abandoned,
         *     so that nothing would end it
         */
        @Override
        public Timeout build() {
            if (timeoutNanos == UNSET) {
                throw Require.refused("after", "not set", "a duration longer than zero");
            }
            if (!interrupts && abandonOn == null) {
                throw Require.refused("interrupt", "false", "true unless the call is abandoned");
            }
            return new Timeout(this, timeoutNanos);
        }
    }
}
