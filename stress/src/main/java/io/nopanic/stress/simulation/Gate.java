package io.nopanic.stress.simulation;

import io.nopanic.events.Events;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.stress.script.Divergence;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A policy that lets every call pass and knows which are inside: each has a permit of its own, which has to come back exactly once. Right inside of another
 * policy it tells how many calls that one has let in.
 */
final class Gate implements Admission {

    private final String name;
    private final Events events = new Events();
    private final Set<Long> inside = new HashSet<>();
    private final LongConsumer onEntry;
    private long passed;

    Gate(String name, LongConsumer onEntry) {
        this.name = name;
        this.onEntry = onEntry;
    }

    int inside() {
        return inside.size();
    }

    boolean isInside(long permit) {
        return inside.contains(permit);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return "gate";
    }

    @Override
    public String describe() {
        return "counts";
    }

    @Override
    public String toString() {
        return "gate '" + name + "'";
    }

    @Override
    public Events events() {
        return events;
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
    public long tryAcquire(long nowNanos) {
        long permit = passed++;
        inside.add(permit);
        onEntry.accept(permit);
        return permit;
    }

    @Override
    public Entry enter(EntryRequest request) {
        throw new Divergence("a gate that lets everybody pass was asked twice");
    }

    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        Divergence.unless(inside.remove(permit), "permit " + permit + " of " + name + " came back twice");
        Divergence.unless(result == null || error == null, "a call ended in two ways");
        return null;
    }
}
