package io.nopanic.bulkhead;

import io.nopanic.spi.Waiter;
import io.nopanic.threads.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The callers who wait for a permit, first come first served, and the rules by which permits pass between them and those who do not
 * wait.
 *
 * <h2>Theory of operation</h2>
 *
 * Nobody needs the lock while nobody waits: calls take permits out of open stripes and put them back (see {@link Stripes}). The stripes are
 * <em>closed</em> while somebody waits, and also while more permits are in use than there are since the limit was lowered. Then every permit
 * that is free is in the hands of the holder of the lock, and everything happens one after the other:
 *
 * <p><b>Nobody barges in.</b> Whoever joins an empty queue closes the stripes first, which takes out of them what is free, and joins only if
 * that is nothing. They are opened, under the lock, when the queue has become empty. A newcomer finds them closed, joins the queue at its end or
 * is refused.
 *
 * <p><b>No wake-up is lost.</b> A call that ends puts its permit into its stripe by a compare-and-set on the open word: either that happens
 * before the stripe is closed, and whoever closes finds the permit; or it fails, and the call takes the lock and hands its permit to the first
 * who waits. There is no third way: whether somebody waits is in the very word that is changed.
 *
 * <p><b>No permit is lost.</b> It is handed over under the lock, to a ticket that still waits, after which that ticket is in the queue no
 * more. A caller gives up under the lock too: it either left before, and gets nothing, or it was granted the permit, and then takes it
 * or passes it on, once.
 *
 * <p><b>The lock does not stay in use.</b> Whoever comes for the lock because stripes were closed, and finds them open again, closes them again
 * only in order to wait.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@link Permits}: whether open</td><td>holder of the lock</td></tr>
 * <tr><td>free permits, while open</td><td>anybody, in {@link Stripes}</td></tr>
 * <tr><td>free permits, while closed</td><td>holder of the lock; plain</td></tr>
 * <tr><td>{@code waiting}, {@code length}, {@code maxLength}, the limit</td>
 *     <td>holder of the lock; the last three are volatile for those who only look</td></tr>
 * <tr><td>{@link Ticket}: waiting to granted or gone</td><td>holder of the lock, by compare-and-set</td></tr>
 * <tr><td>granted to taken or gone</td><td>the call that waits, by compare-and-set; one of the two wins</td></tr>
 * </table>
 *
 * <p>Thread-safe. Joining, leaving and handing over are O(1) and hold the lock for a few field writes. No waiter is woken under the
 * lock.
 */
final class WaitQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Ticket> waiting = new Queue<>();
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
    static class Ticket extends Queue.Link<Ticket> {

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

    /** Whether another caller would find a place. Nobody is kept waiting for an answer. */
    boolean hasPlace() {
        return length < maxLength;
    }

    int length() {
        return length;
    }

    int maxLength() {
        return maxLength;
    }

    /**
     * Takes a permit if one is free and nobody waits, or else a place at the end of the queue if there is one.
     *
     * @param mayWait whether a place is wanted
     */
    Joined join(Ticket ticket, boolean mayWait) {
        lock.lock();
        try {
            if (permits.isOpen() && permits.tryTake() >= 0) {
                return Joined.ADMITTED;
            }
            if (!mayWait || !hasPlace()) {
                return Joined.FULL;
            }
            permits.close();
            if (waiting.isEmpty() && permits.takeSpare()) {
                return Joined.ADMITTED;
            }
            waiting.add(ticket);
            length = waiting.size();
            return Joined.WAITING;
        } finally {
            leave();
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
            leave();
        }
    }

    /**
     * Gives a permit back that could not be while permits were closed: grants it to the first who waits.
     *
     * @return who is to be woken
     */
    @Nullable Waiter giveBack(long permit) {
        lock.lock();
        try {
            if (permits.isOpen() && permits.tryGiveBack(permit)) {
                return null;
            }
            permits.giveBackSpare();
            return grantToFirst();
        } finally {
            leave();
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
            permits.close();
            permits.resize(maxConcurrent);
            maxLength = newMaxLength;
            for (Waiter next = grantToFirst(); next != null; next = grantToFirst()) {
                granted.add(next);
            }
        } finally {
            leave();
        }
        return granted;
    }

    /** How many permits are in use. The lock keeps the limit from changing between the look at it and the looks at the stripes. */
    int inUse() {
        lock.lock();
        try {
            return (int) Math.max(0, permits.limit() - permits.free());
        } finally {
            lock.unlock();
        }
    }

    /** How many permits a caller could have who comes now. One that goes from a stripe that was counted to one that was not is seen twice, so there may seem to be more than there are. */
    int available() {
        lock.lock();
        try {
            return waiting.isEmpty() ? (int) Math.max(0, Math.min(permits.free(), permits.limit())) : 0;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Waiter grantToFirst() {
        Ticket first = waiting.first();
        if (first == null || !permits.takeSpare()) {
            return null;
        }
        remove(first);
        first.state.set(Ticket.GRANTED);
        return first.waiter;
    }

    private void leave() {
        if (waiting.isEmpty()) {
            permits.openIfPossible();
        }
        lock.unlock();
    }

    private void remove(Ticket ticket) {
        waiting.remove(ticket);
        length = waiting.size();
    }
}
