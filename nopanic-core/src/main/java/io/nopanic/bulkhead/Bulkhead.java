package io.nopanic.bulkhead;

import io.nopanic.events.Event;
import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets at most {@code maxConcurrent} calls run at one time. Up to {@code maxQueued} more wait in line, first come first served, for
 * at most {@code maxWait}; all others are refused at once with {@link BulkheadFullException}.
 *
 * <p>Blocking and asynchronous calls share the one capacity, and so do all pipelines that the bulkhead stands in. A permit is
 * held until the call really ends: for an asynchronous call until its stage is complete, for a call that a timeout around the bulkhead
 * has abandoned until its thread comes back.
 *
 * <p>Thread-safe. While nobody waits, a call costs one compare-and-set to enter and one to leave, in memory that few other threads write; it
 * takes no lock, allocates nothing and reads no clock. {@link Stripes} says why the limit and refusals are exact all the same, {@link WaitQueue}
 * why no permit and no waiter can be lost.
 *
 * <p>A permit comes back through {@link #settle}, and by the contract of {@link Admission} exactly once for each one given: by the
 * engine for every call it makes. There is no other way to give one back, so it cannot be done once too often by mistake. Code that
 * plays the engine's part has to keep that contract: a permit given back twice would raise the limit by one.
 */
public final class Bulkhead extends PolicyBase implements Admission {

    private final Permits permits;
    private final WaitQueue queue;
    private final long maxWaitNanos;

    private Bulkhead(Builder builder, int maxConcurrent, int maxQueued) {
        super(builder);
        permits = new Permits(maxConcurrent);
        queue = new WaitQueue(permits, maxQueued);
        maxWaitNanos = builder.maxWaitNanos;
    }

    /** A bulkhead without a queue: it refuses at once what it cannot let run. */
    public static Bulkhead of(int maxConcurrent) {
        return builder().maxConcurrent(maxConcurrent).build();
    }

    /** A builder; {@link Builder#maxConcurrent} has to be set. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many calls may run at one time. */
    public int maxConcurrent() {
        return permits.limit();
    }

    /** How many calls may wait. */
    public int maxQueued() {
        return queue.maxLength();
    }

    /**
     * How many calls run now, for people and gauges. More than {@link #maxConcurrent} for a while after that was lowered, never otherwise.
     * Permits are counted one stripe after the other, so a call that begins or ends meanwhile may or may not be counted, and so may a permit
     * that goes from one call to another; the number is exact whenever no call does, also while the limits change. Takes a short lock.
     */
    public int inUse() {
        return queue.inUse();
    }

    /** How many more calls would be let in now without waiting; 0 while any call waits. As exact as {@link #inUse}, and under the same lock. */
    public int available() {
        return queue.available();
    }

    /** How many calls wait now. */
    public int queued() {
        return queue.length();
    }

    /**
     * Changes both limits, in one step, while calls run; returns at once. Calls that run go on running, and calls that wait go on
     * waiting, even if there are now more of them than there may be: the surplus drains before anybody new is let in. Calls for
     * which there is room now are let in, in their order.
     *
     * @param maxConcurrent how many calls may run at one time, at least 1
     * @param maxQueued how many calls may wait, at least 0
     * @throws IllegalArgumentException if either is out of range; nothing has changed then
     */
    public void resize(int maxConcurrent, int maxQueued) {
        checkMaxConcurrent(maxConcurrent);
        checkMaxQueued(maxQueued);
        queue.resize(maxConcurrent, maxQueued).forEach(Waiter::wake);
    }

    @Override
    public boolean readsTimeOnEntry() {
        return false;
    }

    @Override
    public boolean readsTimeOnSettle() {
        return false;
    }

    @Override
    public int concurrencyLimit() {
        return maxConcurrent();
    }

    @Override
    public long tryAcquire(long nowNanos) {
        return Math.max(permits.tryTake(), NOT_NOW);
    }

    @Override
    public Entry enter(EntryRequest request) {
        long permit = permits.tryTake();
        if (permit >= 0) {
            return admitted(permit);
        }
        boolean mayWait = request.limitNanos() > 0;
        boolean noneCanBeFree = permit == Stripes.NONE || queue.length() > 0;
        if (noneCanBeFree && !(mayWait && queue.hasPlace())) {
            return refused(request);
        }
        Place place = new Place(request);
        return switch (queue.join(place, mayWait)) {
            case ADMITTED -> admitted(place.permit());
            case WAITING -> place;
            case FULL -> refused(request);
        };
    }

    /** The answer to a call that has a permit; there may be no memory for it. */
    private Entry admitted(long permit) {
        try {
            return new Entry.Admitted(permit);
        } catch (Throwable noMemory) {
            Waiter next = release(permit);
            if (next != null) {
                next.wake();
            }
            throw noMemory;
        }
    }

    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        return release(permit);
    }

    /** The limits, as in {@code at most 10 at once, 5 more wait up to PT0.5S}. */
    @Override
    public String describe() {
        int maxQueued = maxQueued();
        String limit = "at most " + maxConcurrent() + " at once";
        if (maxQueued == 0) {
            return limit + ", no queue";
        }
        String wait = waitsWithoutLimit() ? "without limit" : "up to " + Nanos.toDuration(maxWaitNanos);
        return limit + ", " + maxQueued + " more wait " + wait;
    }

    private boolean waitsWithoutLimit() {
        return maxWaitNanos >= Nanos.FOREVER;
    }

    private @Nullable Waiter release(long permit) {
        return permits.tryGiveBack(permit) ? null : queue.giveBack(permit);
    }

    private Entry refused(EntryRequest request) {
        onRefused(request.nowNanos(), 0);
        return new Entry.Refused(full(request, 0));
    }

    private void onRefused(long nowNanos, long waitedNanos) {
        if (events().isListenedTo()) {
            events().publish(new Event.BulkheadRefused(stamp(nowNanos), waitedNanos));
        }
    }

    private RejectedException full(EntryRequest request, long waitedNanos) {
        return new BulkheadFullException(name(), request.pipeline(), maxConcurrent(), maxQueued(), waitedNanos);
    }

    private static int checkMaxConcurrent(int value) {
        return Require.between("maxConcurrent", value, 1, Integer.MAX_VALUE);
    }

    private static int checkMaxQueued(int value) {
        return Require.between("maxQueued", value, 0, Integer.MAX_VALUE);
    }

    /**
     * A call that waits. A permit that is granted after the longest wait was over, but before the call has asked again and so given up
     * its place, is the call's all the same.
     */
    private final class Place extends WaitQueue.Ticket implements Entry.Waiting {

        private final EntryRequest request;
        private final long permit = Stripes.home();
        private long waitedNanos;

        Place(EntryRequest request) {
            super(request.waiter());
            this.request = request;
        }

        @Override
        public long check(long nowNanos) {
            if (isWaiting()) {
                if (waitsWithoutLimit()) {
                    return Nanos.FOREVER;
                }
                long soFarNanos = nowNanos - request.nowNanos();
                if (soFarNanos < maxWaitNanos) {
                    return maxWaitNanos - soFarNanos;
                }
                if (queue.withdraw(this)) {
                    waitedNanos = soFarNanos;
                    onRefused(nowNanos, soFarNanos);
                    return REFUSED;
                }
            }
            return take() ? ADMITTED : REFUSED;
        }

        @Override
        public long permit() {
            return permit;
        }

        @Override
        public RejectedException refusal() {
            return full(request, waitedNanos);
        }

        @Override
        public @Nullable Waiter leave(long nowNanos) {
            queue.withdraw(this);
            return decline() ? release(permit) : null;
        }
    }

    /** Settings of a bulkhead. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder, Bulkhead> {

        private static final int UNSET = -1;

        private int maxConcurrent = UNSET;
        private int maxQueued = UNSET;
        private long maxWaitNanos = Nanos.FOREVER;

        private Builder() {
            super("bulkhead");
        }

        /**
         * How many calls may run at one time: at least 1. Has no default, because no number suits more than one dependency.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder maxConcurrent(int value) {
            maxConcurrent = checkMaxConcurrent(value);
            return this;
        }

        /**
         * How many more calls may wait for a permit: 0 or more. Default: 0, which refuses at once.
         *
         * @throws IllegalArgumentException if it is less than 0
         */
        public Builder maxQueued(int value) {
            maxQueued = checkMaxQueued(value);
            return this;
        }

        /**
         * How long a call may wait for a permit: more than zero. Default: without limit; the queue's length bounds how many
         * calls can wait, and a timeout around the bulkhead ends the wait of each. A finite default would refuse calls at a
         * time that nobody chose.
         *
         * @throws IllegalArgumentException if it is zero or negative
         */
        public Builder maxWait(Duration value) {
            maxWaitNanos = Require.positive("maxWait", value);
            return this;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * The bulkhead.
         *
         * @throws IllegalArgumentException if {@link #maxConcurrent} was not set, or {@link #maxWait} was set but {@link #maxQueued} was
         *     not, so that nobody could ever wait
         */
        @Override
        public Bulkhead build() {
            if (maxConcurrent == UNSET) {
                throw Require.refused("maxConcurrent", "not set", "a whole number of at least 1");
            }
            if (maxQueued == UNSET && maxWaitNanos < Nanos.FOREVER) {
                throw Require.refused(
                        "maxWait", Nanos.toDuration(maxWaitNanos), "none unless maxQueued is set as well");
            }
            return new Bulkhead(this, maxConcurrent, Math.max(maxQueued, 0));
        }
    }
}
