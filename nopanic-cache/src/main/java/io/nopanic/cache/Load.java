package io.nopanic.cache;

import io.nopanic.spi.Substitute;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A load of one key under way. One call, the leader, makes it; the others wait for its signal. Thread-safe.
 *
 * <table>
 * <caption>Shared state</caption>
 * <tr><th>field</th><th>written by</th><th>mode</th></tr>
 * <tr><td>ended</td><td>the leader, once</td><td>compare-and-set</td></tr>
 * <tr><td>signal</td><td>the leader, once, after it has left the map of loads</td><td>completion of a future</td></tr>
 * <tr><td>stale, inBackground</td><td>the leader, before it makes the call</td><td>plain; only the leader reads them</td></tr>
 * </table>
 *
 * @param <K> the type of the key
 */
final class Load<K> {

    final K key;
    final CompletableFuture<@Nullable Substitute> signal = new CompletableFuture<>();

    /** The thread that does nothing but this load, if it is a blocking call's. */
    private final @Nullable Thread owner;

    private final AtomicBoolean ended = new AtomicBoolean();

    /** What the cache held when the load began. */
    @Nullable Cached stale;

    /** Whether the leader's caller has been answered already. */
    boolean inBackground;

    Load(K key, @Nullable Thread owner) {
        this.key = key;
        this.owner = owner;
    }

    /** Whether the calling thread would wait for itself. */
    boolean runsOnThisThread() {
        return owner == Thread.currentThread() && !inBackground;
    }

    /** Ends the load; {@code false} if it had ended. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    boolean isOver() {
        return signal.isDone();
    }
}
