package io.nopanic.breaker;

import io.nopanic.events.Event;
import io.nopanic.spi.Entry;
import io.nopanic.stress.interleavings.HandTime;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A breaker on a time of its own, and the transitions that it told of. */
final class Subject {

    static final long SECOND_NANOS = 1_000_000_000L;

    final HandTime hand = new HandTime();
    final CircuitBreaker breaker;
    private final ConcurrentLinkedQueue<Event.BreakerStateChanged> told = new ConcurrentLinkedQueue<>();

    Subject(CircuitBreakerBuilder settings) {
        breaker = settings.name("breaker").time(hand.time).build();
        breaker.events().subscribe(Event.BreakerStateChanged.class, told::add);
    }

    /** A call that passes. */
    long enter() {
        return breaker.tryAcquire(HandTime.START_NANOS);
    }

    /** A call that asks so long after the start: its permit, or -1. */
    long enter(long afterStartNanos) {
        return breaker.enter(HandTime.request(afterStartNanos, () -> {})) instanceof Entry.Admitted admitted
                ? admitted.permit()
                : -1;
    }

    void succeed(long permit, long afterStartNanos) {
        settle(permit, afterStartNanos, null);
    }

    void fail(long permit, long afterStartNanos) {
        fail(permit, afterStartNanos, HandTime.FAILURE);
    }

    void fail(long permit, long afterStartNanos, Exception failure) {
        settle(permit, afterStartNanos, failure);
    }

    private void settle(long permit, long afterStartNanos, @Nullable Throwable error) {
        breaker.settle(permit, HandTime.START_NANOS, HandTime.START_NANOS + afterStartNanos, "result", error);
    }

    /** Opens it by one failure, at the start. */
    void trip() {
        fail(enter(), 0);
    }

    /** What a call that asks at the start and is refused is told as the cause. */
    @Nullable Throwable causeOfRefusal() {
        return breaker.enter(HandTime.request()) instanceof Entry.Refused refused
                ? refused.reason().getCause()
                : null;
    }

    /** The failure that led to the transition told last. */
    @Nullable Throwable lastFailureTold() {
        Throwable last = null;
        for (Event.BreakerStateChanged each : told) {
            last = each.lastFailure();
        }
        return last;
    }

    String state() {
        return breaker.state().toString();
    }

    int late() {
        return (int) breaker.snapshot().lateOutcomes();
    }

    int transitionsTold() {
        return told.size();
    }

    /** As in {@code CLOSED-OPEN OPEN-CLOSED}. */
    String told() {
        StringBuilder text = new StringBuilder();
        for (Event.BreakerStateChanged each : told) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(each.from())
                    .append('-')
                    .append(each.to());
        }
        return text.toString();
    }
}
