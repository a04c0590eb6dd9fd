package io.nopanic.ratelimit;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.threads.Queue;
import org.jspecify.annotations.Nullable;

/** A call's place in a {@link Line}. Everything that is not final is guarded by the line's lock. */
final class Place extends Queue.Link<Place> implements Entry.Waiting {

    /** What has become of the call. */
    enum State {
        /** It is in line, or about to be. */
        WAITING,
        /** It has its permits. */
        ADMITTED,
        /** It will not get them. */
        REFUSED,
        /** It went away. */
        GONE
    }

    final EntryRequest request;
    final int permits;
    private final Line line;
    private final long limitNanos;

    State state = State.WAITING;

    /** How long the wait was to be when it began. */
    long expectedNanos;

    /** When the call will ask again by itself. */
    long asksAgainNanos;

    /** What {@link Meter#giveBack} wants to know, once admitted. */
    long mark;

    long version;

    /** Why the call was refused, if it was, and when it would have worked. */
    Refusal why = Refusal.RATE;

    long retryAfterNanos;

    /** Written and read by the call that waits. */
    private boolean told;

    Place(Line line, EntryRequest request, int permits, long limitNanos) {
        this.line = line;
        this.request = request;
        this.permits = permits;
        this.limitNanos = limitNanos;
    }

    /** How long the call may still wait. */
    long remainingNanos(long nowNanos) {
        return limitNanos == Long.MAX_VALUE ? limitNanos : limitNanos - (nowNanos - request.nowNanos());
    }

    void refuse(Refusal reason, long afterNanos) {
        state = State.REFUSED;
        why = reason;
        retryAfterNanos = afterNanos;
    }

    @Override
    public long check(long nowNanos) {
        long answer = line.check(this, nowNanos);
        if (answer == REFUSED && !told) {
            told = true;
            line.tell(this, nowNanos);
        }
        return answer;
    }

    @Override
    public long permit() {
        return Line.PERMIT;
    }

    @Override
    public RejectedException refusal() {
        return line.exception(this);
    }

    @Override
    public @Nullable Waiter leave(long nowNanos) {
        return line.leave(this, nowNanos);
    }
}
