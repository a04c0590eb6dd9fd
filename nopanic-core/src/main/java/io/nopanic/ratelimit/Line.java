package io.nopanic.ratelimit;

import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.threads.Queue;
import io.nopanic.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for permits of a {@link Meter}, first come first served.
 *
 * <p><b>Nobody barges in.</b> The meter is closed exactly while somebody waits (and while somebody holds the lock), so whoever comes finds it
 * closed, and joins the line at its end or is refused. Permits of a closed meter go to the first in line only.
 *
 * <p><b>Nobody is forgotten.</b> Whoever joins is told when its permits will be there if nothing changes, and asks again by itself then. Things
 * change when somebody leaves or the rate does. Then only the first in line matters: whenever the lock is left, the first either asks again by
 * itself no later than its permits are there, or is woken now. So it is enough to look at one, and each who is let in makes the next the first.
 * Whoever asks lets in all whose permits are there, so no call depends on another one's thread.
 *
 * <p><b>Nobody waits in vain.</b> A call that cannot get its permits within its limit is refused when it comes; if the rate changes, all those
 * who no longer can are refused then. Threads that run late delay those behind them where permits are lost meanwhile because more than the burst
 * cannot be kept; nobody is refused for that.
 *
 * <p>Memory: one {@link Place} per call that waits, at most {@code maxQueued}. Joining, asking and leaving are O(1) under the lock, changing the
 * rate is O(waiting). Thread-safe; everything that is not final is guarded by {@link #lock}. Nobody is woken, told or asked under it.
 */
final class Line {

    /** Permits are taken for good, so there is nothing to know of one. */
    static final long PERMIT = 0;

    private static final Entry ADMITTED = new Entry.Admitted(PERMIT);

    private final ReentrantLock lock = new ReentrantLock();
    private final Meter meter;
    private final Teller teller;
    private final long maxWaitNanos;
    private final int maxQueued;

    private final Queue<Place> queue = new Queue<>();
    private long queuedPermits;
    private List<Waiter> toWake = List.of();

    /**
     * @param maxWaitNanos the longest wait; {@link Long#MAX_VALUE} for none
     */
    Line(Meter meter, Teller teller, long maxWaitNanos, int maxQueued) {
        this.meter = meter;
        this.teller = teller;
        this.maxWaitNanos = maxWaitNanos;
        this.maxQueued = maxQueued;
    }

    // ---------------- for a caller

    /** Takes permits if they are there and nobody waits. */
    boolean takeNow(int permits, long nowNanos) {
        long waitNanos = takeOrWaitNanos(permits, nowNanos);
        if (waitNanos != Meter.UNKNOWN) {
            return waitNanos == 0;
        }
        boolean[] taken = {false};
        wake(locked(nowNanos, null, () -> taken[0] = queue.isEmpty() && meter.take(permits, nowNanos)));
        return taken[0];
    }

    /** The slow path of an admission. */
    Entry enter(EntryRequest request, int permits) {
        long limitNanos = Math.min(maxWaitNanos, request.limitNanos());
        long waitNanos = takeOrWaitNanos(permits, request.nowNanos());
        if (waitNanos == 0) {
            return ADMITTED;
        }
        if (waitNanos > limitNanos) {
            return teller.refuse(request, Refusal.RATE, waitNanos);
        }
        return join(new Place(this, request, permits, limitNanos));
    }

    /**
     * Asks the meter; if it is closed, asks it once more under the lock, where it is so only while somebody waits. Closing it there at once
     * would send everybody who comes meanwhile to the lock as well, and with enough of them it would hardly ever be open again.
     */
    private long takeOrWaitNanos(int permits, long nowNanos) {
        long waitNanos = meter.takeOrWaitNanos(permits, nowNanos);
        if (waitNanos != Meter.UNKNOWN) {
            return waitNanos;
        }
        lock.lock();
        try {
            return queue.isEmpty() ? meter.takeOrWaitNanos(permits, nowNanos) : Meter.UNKNOWN;
        } finally {
            lock.unlock();
        }
    }

    private Entry join(Place place) {
        long nowNanos = place.request.nowNanos();
        Entry[] answer = {ADMITTED};
        try {
            wake(locked(nowNanos, null, () -> answer[0] = joinLocked(place, nowNanos)));
            if (answer[0] == place) {
                teller.waits(nowNanos, place.expectedNanos);
            } else if (answer[0] instanceof Entry.Refused) {
                teller.refused(nowNanos, place.retryAfterNanos);
            }
        } catch (Throwable thrown) {
            if (answer[0] == place) {
                wake(leave(place, nowNanos));
            }
            throw thrown;
        }
        return answer[0];
    }

    private Entry joinLocked(Place place, long nowNanos) {
        if (queue.isEmpty() && meter.take(place.permits, nowNanos)) {
            return ADMITTED;
        }
        long waitNanos = meter.waitNanos(queuedPermits + place.permits, nowNanos);
        if (place.permits > meter.burst()) {
            place.refuse(Refusal.IMPOSSIBLE, Meter.UNKNOWN);
        } else if (waitNanos > place.remainingNanos(nowNanos)) {
            place.refuse(Refusal.RATE, waitNanos);
        } else if (queue.size() >= maxQueued) {
            place.refuse(Refusal.QUEUE, waitNanos);
        } else {
            place.expectedNanos = waitNanos;
            place.asksAgainNanos = nowNanos + waitNanos;
            append(place);
            return place;
        }
        return new Entry.Refused(exception(place));
    }

    // ---------------- for one who waits

    /** See {@link Entry.Waiting#check}. */
    long check(Place place, long nowNanos) {
        long[] answer = {Entry.Waiting.REFUSED};
        wake(locked(nowNanos, place, () -> answer[0] = answer(place, nowNanos)));
        return answer[0];
    }

    private long answer(Place place, long nowNanos) {
        if (place.state != Place.State.WAITING) {
            return place.state == Place.State.ADMITTED ? Entry.Waiting.ADMITTED : Entry.Waiting.REFUSED;
        }
        long waitNanos = waitNanos(place, nowNanos);
        place.asksAgainNanos = nowNanos + waitNanos;
        return waitNanos;
    }

    /** For how long one who waits has no reason to ask. Others than the first need not know when their turn is: they are woken. */
    private long waitNanos(Place place, long nowNanos) {
        if (place == queue.first()) {
            return Math.max(1, meter.waitNanos(place.permits, nowNanos));
        }
        long leftNanos = place.asksAgainNanos - nowNanos;
        return leftNanos > 0 ? leftNanos : Nanos.FOREVER;
    }

    /** See {@link Entry.Waiting#leave}. */
    @Nullable Waiter leave(Place place, long nowNanos) {
        return locked(nowNanos, place, () -> {
            if (place.state == Place.State.WAITING) {
                remove(place);
            } else if (place.state == Place.State.ADMITTED && place.version == meter.version()) {
                meter.giveBack(place.permits, place.mark, nowNanos);
            }
            place.state = Place.State.GONE;
        });
    }

    RateLimitedException exception(Place place) {
        return teller.exception(place.request, place.why, place.retryAfterNanos);
    }

    void tell(Place place, long nowNanos) {
        teller.refused(nowNanos, place.retryAfterNanos);
    }

    // ---------------- for the owner

    /** How many permits a call that comes now could have at once. */
    int available(long nowNanos) {
        int[] there = {0};
        wake(locked(nowNanos, null, () -> there[0] = queue.isEmpty() ? meter.available(nowNanos) : 0));
        return there[0];
    }

    /** How many calls wait. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the meter while nobody can take anything.
     *
     * @return who is to be woken because of this
     */
    @Nullable Waiter change(long nowNanos, Runnable change) {
        return locked(nowNanos, null, change);
    }

    /** Refuses everybody who can no longer get permits in time. Only within a {@link #change}. */
    void reconsider(long nowNanos) {
        long permitsAhead = 0;
        Place next = queue.first();
        while (next != null) {
            Place place = next;
            next = queue.behind(place);
            long waitNanos = meter.waitNanos(permitsAhead + place.permits, nowNanos);
            boolean impossible = place.permits > meter.burst();
            if (impossible || waitNanos > place.remainingNanos(nowNanos)) {
                toWake.add(place.request.waiter());
                remove(place);
                place.refuse(impossible ? Refusal.IMPOSSIBLE : Refusal.RATE, impossible ? Meter.UNKNOWN : waitNanos);
            } else {
                permitsAhead += place.permits;
            }
        }
    }

    static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake();
        }
    }

    // ---------------- under the lock

    /**
     * Runs one step with the meter closed, when all whose permits are there have been let in.
     *
     * @param asking the call on whose behalf this happens, which need not be woken
     * @return who is to be woken, as one, after the lock has been left
     */
    private @Nullable Waiter locked(long nowNanos, @Nullable Place asking, Runnable step) {
        List<Waiter> woken = new ArrayList<>(2);
        Waiter all = () -> woken.forEach(Waiter::wake);
        boolean done = false;
        lock.lock();
        try {
            toWake = woken;
            meter.close();
            letIn(nowNanos, asking);
            step.run();
            rouseFirst(nowNanos);
            if (queue.isEmpty()) {
                meter.open();
            }
            done = true;
        } finally {
            lock.unlock();
            if (!done) {
                all.wake();
            }
        }
        return switch (woken.size()) {
            case 0 -> null;
            case 1 -> woken.get(0);
            default -> all;
        };
    }

    private void letIn(long nowNanos, @Nullable Place asking) {
        Place place = queue.first();
        while (place != null && meter.take(place.permits, nowNanos)) {
            if (place != asking) {
                toWake.add(place.request.waiter());
            }
            remove(place);
            place.state = Place.State.ADMITTED;
            place.mark = meter.mark();
            place.version = meter.version();
            place = queue.first();
        }
    }

    private void rouseFirst(long nowNanos) {
        Place place = queue.first();
        if (place == null) {
            return;
        }
        long dueNanos = nowNanos + meter.waitNanos(place.permits, nowNanos);
        if (place.asksAgainNanos - dueNanos > 0) {
            toWake.add(place.request.waiter());
            place.asksAgainNanos = nowNanos;
        }
    }

    private void append(Place place) {
        queue.add(place);
        queuedPermits += place.permits;
    }

    private void remove(Place place) {
        queue.remove(place);
        queuedPermits -= place.permits;
    }
}
