package io.nopanic.threads;

import org.jspecify.annotations.Nullable;

/**
 * A queue of objects that are links of it themselves, so that to join, to leave and to look takes no memory: none of it fails where a set's iterator
 * or node could. All in constant time. Not thread-safe.
 *
 * @param <T> the links
 */
public final class Queue<T extends Queue.Link<T>> {

    private @Nullable T first;
    private @Nullable T last;
    private int size;

    /**
     * What can stand in one queue at a time.
     *
     * @param <T> the subclass
     */
    public abstract static class Link<T extends Link<T>> {

        private boolean queued;
        private @Nullable T ahead;
        private @Nullable T behind;
    }

    /** Who has waited longest; {@code null} if nobody waits. */
    public @Nullable T first() {
        return first;
    }

    /** Who comes after this one; {@code null} for the last, and for one that is not here. */
    public @Nullable T behind(T link) {
        Link<T> links = link;
        return links.behind;
    }

    /** Whether nobody waits. */
    public boolean isEmpty() {
        return first == null;
    }

    /** How many wait. */
    public int size() {
        return size;
    }

    /** Joins at the end. */
    public void add(T link) {
        Link<T> links = link;
        Link<T> before = last;
        links.queued = true;
        links.ahead = last;
        if (before == null) {
            first = link;
        } else {
            before.behind = link;
        }
        last = link;
        size++;
    }

    /**
     * Leaves, from wherever it is.
     *
     * @return whether it was here
     */
    public boolean remove(T link) {
        Link<T> links = link;
        if (!links.queued) {
            return false;
        }
        Link<T> ahead = links.ahead;
        Link<T> behind = links.behind;
        if (ahead == null) {
            first = links.behind;
        } else {
            ahead.behind = links.behind;
        }
        if (behind == null) {
            last = links.ahead;
        } else {
            behind.ahead = links.ahead;
        }
        links.queued = false;
        links.ahead = null;
        links.behind = null;
        size--;
        return true;
    }
}
