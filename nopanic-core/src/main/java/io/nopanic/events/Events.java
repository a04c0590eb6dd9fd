package io.nopanic.events;

import io.nopanic.outcome.ReportedOnce;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The events of one policy or pipeline. Thread-safe.
 *
 * <p>Listeners are called one event at a time and in order: whoever publishes first delivers, and others who publish meanwhile leave
 * their events to it; after {@value #MAX_IN_ONE_GO} in one go a thread of the common pool takes over. No lock is held while a listener runs, so a listener may call the policy that it listens to. A listener that
 * throws is logged once and goes on receiving. While a listener is stuck, up to {@value #MAX_PENDING} events wait for it;
 * more are dropped and counted ({@link #dropped()}).
 *
 * <p>Without listeners an event costs two reads and is not built: publishers ask {@link #isListenedTo()} first.
 */
public final class Events {

    static final int MAX_PENDING = 8192;

    /** How many events one call delivers, for itself and others, before a thread of the common pool goes on. */
    private static final int MAX_IN_ONE_GO = 1000;

    private static final List<Listener> NONE = List.of();

    private static final Events PROCESS = new Events();

    /** Held to change {@code listeners}. */
    private final ReentrantLock changing = new ReentrantLock();

    /** Replaced, never changed; {@link #NONE} if nobody listens, so that one comparison tells. */
    private volatile List<Listener> listeners = NONE;

    private final ConcurrentLinkedQueue<Event> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    /** Events without listeners of their own. */
    public Events() {}

    /** The place to listen to every policy and pipeline of this process at once. Nothing is published here directly. */
    public static Events ofProcess() {
        return PROCESS;
    }

    /** Whether anybody listens, here or to the whole process. */
    public boolean isListenedTo() {
        return listeners != NONE || PROCESS.listeners != NONE;
    }

    /** How many events were dropped because a listener did not come back. */
    public long dropped() {
        return dropped.get();
    }

    /** Calls {@code listener} for every event from now on, until the subscription is closed. */
    public Subscription subscribe(Consumer<? super Event> listener) {
        Listener added = new Listener(Objects.requireNonNull(listener, "listener"));
        change(list -> list.add(added));
        return () -> change(list -> list.remove(added));
    }

    private void change(Consumer<List<Listener>> how) {
        changing.lock();
        try {
            List<Listener> list = new ArrayList<>(listeners);
            how.accept(list);
            listeners = list.isEmpty() ? NONE : List.copyOf(list);
        } finally {
            changing.unlock();
        }
    }

    /** Calls {@code listener} for every event of one kind from now on, until the subscription is closed. */
    public <E extends Event> Subscription subscribe(Class<E> kind, Consumer<? super E> listener) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(listener, "listener");
        return subscribe(event -> {
            if (kind.isInstance(event)) {
                listener.accept(kind.cast(event));
            }
        });
    }

    /** Delivers an event, or leaves it to the thread that is delivering now. Never throws. */
    public void publish(Event event) {
        if (enqueue(event)) {
            deliver();
        }
    }

    /**
     * Puts an event in line without delivering it, for a publisher that fixes the order of events under a lock and must deliver
     * after it has left that lock.
     *
     * @return whether the caller has to call {@link #deliver()}, exactly once
     */
    public boolean enqueue(Event event) {
        if (pendingCount.get() >= MAX_PENDING) {
            dropped.incrementAndGet();
            return false;
        }
        pending.add(event);
        return pendingCount.getAndIncrement() == 0;
    }

    /** Delivers what is in line, after {@link #enqueue} asked for it. Never throws. */
    public void deliver() {
        int delivered = 0;
        do {
            if (delivered++ >= MAX_IN_ONE_GO) {
                ForkJoinPool.commonPool().execute(this::deliver);
                return;
            }
            Event event = Objects.requireNonNull(pending.poll());
            listeners.forEach(listener -> listener.accept(event));
            PROCESS.listeners.forEach(listener -> listener.accept(event));
        } while (pendingCount.decrementAndGet() > 0);
    }

    /** Ends a subscription when closed; closing again does nothing. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    private static final class Listener {

        private final Consumer<? super Event> target;
        private final ReportedOnce faults =
                new ReportedOnce(Events.class, "an event listener threw; it goes on receiving");

        Listener(Consumer<? super Event> target) {
            this.target = target;
        }

        void accept(Event event) {
            try {
                target.accept(event);
            } catch (Throwable thrown) {
                faults.thrown(thrown);
            }
        }
    }
}
