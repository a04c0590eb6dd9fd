package io.nopanic.bulkhead;

import io.nopanic.spi.Waiter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for a permit, first come first served, and the rules by which permits pass between them and those who do not
 * wait.
 *
 * <h2>The protocol</h2>
 *
 * A newcomer takes a permit without the lock, unless permits are <em>reserved</em>. They are reserved exactly while somebody waits.
 *
 * <table>
 * <caption>Who writes what; all atomics are written and read with volatile semantics</caption>
 * <tr><th>state</th><th>writer</th><th>how</th></tr>
 * <tr><td>{@link Permits}: in use, up, for newcomers</td><td>anybody, while not reserved</td>
 *     <td>compare-and-set that also checks limit and reservation</td></tr>
 * <tr><td>in use, up, for a waiter</td><td>holder of the lock</td><td>compare-and-set that also checks the limit</td></tr>
 * <tr><td>in use, down</td><td>the call that ends</td><td>atomic addition, which also reads the reservation</td></tr>
 * <tr><td>reserved, limit</td><td>holder of the lock</td><td>compare-and-set</td></tr>
 * <tr><td>{@code waiting}, {@code length}, {@code maxLength}</td><td>holder of the lock</td>
 *     <td>plain; the last two are volatile for those who only look</td></tr>
 * <tr><td>{@link Ticket}: waiting to granted or gone</td><td>holder of the lock</td><td>compare-and-set</td></tr>
 * <tr><td>granted to taken or gone</td><td>the call that waits</td><td>compare-and-set; one of the two wins</td></tr>
 * </table>
 *
 * <p><b>The limit holds.</b> The count goes up only by a compare-and-set on the word that holds the limit as well, and only below it.
 *
 * <p><b>Nobody barges in.</b> Whoever joins an empty queue reserves the permits first, in the same atomic step that finds none free;
 * the reservation ends only under the lock, when the queue has become empty. A newcomer finds the permits reserved, joins the queue
 * at its end or is refused.
 *
 * <p><b>No wake-up is lost.</b> While permits are reserved, there are never more free ones than calls that have given one back, saw
 * the reservation, and have yet to hand over: none is free when the reservation is made, each release adds one to both
 * numbers, and each hand-over takes one from both, or ends the reservation because nobody is left. Raising the limit hands over
 * all that it adds before it leaves the lock. So once all hand-overs are done, either nobody waits or nothing is free.
 *
 * <p><b>No permit is lost.</b> It is handed over under the lock, to a ticket that still waits, after which that ticket is in the queue no
 * more. A caller gives up under the lock too: it either left before, and gets nothing, or it was granted the permit, and then takes it
 * or passes it on, once.
 *
 * <p>Thread-safe. Joining, leaving and handing over are O(1) and hold the lock for a few field writes. No waiter is woken under the
 * lock.
 */
final class WaitQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<Ticket> waiting = new LinkedHashSet<>();
    private final Permits permits;
    private volatile int length;
    private volatile int maxLength;

    WaitQueue(Permits permits, int maxLength) {
        this.permits = permits;
        this.maxLength = maxLength;
    }

    /** What became of a caller that wanted to join. */
    enum Joined {
        /** There was a permit after all; it is the caller's. */
        ADMITTED,
        /** It waits. */
        WAITING,
        /** There was neither a permit nor a place. */
        FULL
    }

    /** A caller's place in the queue. */
    static class Ticket {

        private static final int WAITING = 0;
        private static final int GRANTED = 1;
        private static final int TAKEN = 2;
        private static final int GONE = 3;

        private final Waiter waiter;
        private final AtomicInteger state = new AtomicInteger(WAITING);

        Ticket(Waiter waiter) {
            this.waiter = waiter;
        }

        final boolean isWaiting() {
            return state.get() == WAITING;
        }

        /** Accepts the permit. Says the same however often it is asked. */
        final boolean take() {
            return state.compareAndSet(GRANTED, TAKEN) || state.get() == TAKEN;
        }

        /** Declines the permit: {@code true}, once, if there was one that was not taken. The caller must then give it back. */
        final boolean decline() {
            return state.compareAndSet(GRANTED, GONE);
        }
    }

    /** Whether another caller would find no place. Nobody is kept waiting for an answer. */
    boolean isFull() {
        return length >= maxLength;
    }

    int length() {
        return length;
    }

    int maxLength() {
        return maxLength;
    }

    /** Takes a permit if one is free and nobody waits, or else a place at the end of the queue if there is one. */
    Joined join(Ticket ticket) {
        lock.lock();
        try {
            if (isFull()) {
                return permits.tryAcquire() ? Joined.ADMITTED : Joined.FULL;
            }
            if (permits.acquireOrReserve()) {
                return Joined.ADMITTED;
            }
            waiting.add(ticket);
            length = waiting.size();
            return Joined.WAITING;
        } finally {
            lock.unlock();
        }
    }

    /** Gives up waiting: {@code true}, once, if the place was given up; {@code false} if the ticket no longer waits. */
    boolean withdraw(Ticket ticket) {
        lock.lock();
        try {
            if (!ticket.state.compareAndSet(Ticket.WAITING, Ticket.GONE)) {
                return false;
            }
            remove(ticket);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A permit has been given back while somebody waited: grants it to the first who still does.
     *
     * @return who is to be woken
     */
    @Nullable Waiter handOver() {
        lock.lock();
        try {
            return grantToFirst();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes both limits, in one step. Whoever waits goes on waiting even if the queue is now longer than it may be.
     *
     * @return who is to be woken, in this order
     */
    List<Waiter> resize(int maxConcurrent, int newMaxLength) {
        List<Waiter> granted = new ArrayList<>();
        lock.lock();
        try {
            permits.limit(maxConcurrent);
            maxLength = newMaxLength;
            for (Waiter next = grantToFirst(); next != null; next = grantToFirst()) {
                granted.add(next);
            }
        } finally {
            lock.unlock();
        }
        return granted;
    }

    private @Nullable Waiter grantToFirst() {
        if (waiting.isEmpty() || !permits.acquireReserved()) {
            return null;
        }
        Ticket first = waiting.iterator().next();
        remove(first);
        first.state.set(Ticket.GRANTED);
        return first.waiter;
    }

    private void remove(Ticket ticket) {
        waiting.remove(ticket);
        length = waiting.size();
        if (waiting.isEmpty()) {
            permits.endReservation();
        }
    }
}
