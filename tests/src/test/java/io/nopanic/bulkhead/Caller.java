package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import org.jspecify.annotations.Nullable;

/** A call at the door of a bulkhead, played by hand: does what the engine does, one step at a time. */
final class Caller implements Waiter {

    private final Bulkhead bulkhead;
    private final Entry entry;
    private int woken;

    private Caller(Bulkhead bulkhead, long nowNanos, long limitNanos) {
        this.bulkhead = bulkhead;
        long permit = bulkhead.tryAcquire(nowNanos);
        entry = permit >= 0
                ? new Entry.Admitted(permit)
                : bulkhead.enter(new EntryRequest("checkout", nowNanos, limitNanos, this));
    }

    static Caller at(Bulkhead bulkhead) {
        return at(bulkhead, 0);
    }

    static Caller at(Bulkhead bulkhead, long nowNanos) {
        return at(bulkhead, nowNanos, Long.MAX_VALUE);
    }

    static Caller at(Bulkhead bulkhead, long nowNanos, long limitNanos) {
        return new Caller(bulkhead, nowNanos, limitNanos);
    }

    /** Ends a call of {@code bulkhead} whose permit somebody holds. */
    static @Nullable Waiter release(Bulkhead bulkhead) {
        return bulkhead.settle(0, 0, 0, "answer", null);
    }

    boolean isIn() {
        return entry instanceof Entry.Admitted;
    }

    boolean isRefused() {
        return entry instanceof Entry.Refused;
    }

    boolean waits() {
        return entry instanceof Entry.Waiting;
    }

    RejectedException refusal() {
        return entry instanceof Entry.Refused refused
                ? refused.reason()
                : waiting().refusal();
    }

    long check(long nowNanos) {
        return waiting().check(nowNanos);
    }

    @Nullable Waiter leave() {
        return waiting().leave(0);
    }

    @Nullable Waiter release() {
        long permit = entry instanceof Entry.Admitted admitted
                ? admitted.permit()
                : waiting().permit();
        return bulkhead.settle(permit, 0, 0, "answer", null);
    }

    int timesWoken() {
        return woken;
    }

    @Override
    public void wake() {
        woken++;
    }

    private Entry.Waiting waiting() {
        assertThat(entry).isInstanceOf(Entry.Waiting.class);
        return (Entry.Waiting) entry;
    }
}
