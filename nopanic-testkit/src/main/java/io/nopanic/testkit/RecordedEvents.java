package io.nopanic.testkit;

import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listens and remembers, in the order in which the events were told. Thread-safe. Closing it ends the listening, not the memory. */
public final class RecordedEvents implements AutoCloseable {

    private final CopyOnWriteArrayList<Event> recorded = new CopyOnWriteArrayList<>();
    private final List<Events.Subscription> subscriptions = new ArrayList<>();

    private RecordedEvents(List<Events> sources) {
        sources.forEach(source -> subscriptions.add(source.subscribe(recorded::add)));
    }

    /** The events of these sources from now on. */
    public static RecordedEvents of(Events... sources) {
        return new RecordedEvents(List.of(sources));
    }

    /** The events of these policies from now on. */
    public static RecordedEvents of(Policy... policies) {
        return new RecordedEvents(List.of(policies).stream().map(Policy::events).toList());
    }

    /** The events of a pipeline and of all its policies from now on. */
    public static RecordedEvents of(Pipeline pipeline) {
        List<Events> sources = new ArrayList<>();
        pipeline.policies().forEach(policy -> sources.add(policy.events()));
        sources.add(pipeline.events());
        return new RecordedEvents(sources);
    }

    /** All events so far. */
    public List<Event> all() {
        return List.copyOf(recorded);
    }

    /** The events of one kind so far. */
    public <E extends Event> List<E> all(Class<E> kind) {
        return recorded.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** How many events of one kind there were. */
    public int count(Class<? extends Event> kind) {
        return all(kind).size();
    }

    /**
     * The last event of one kind.
     *
     * @throws AssertionError if there was none
     */
    public <E extends Event> E last(Class<E> kind) {
        List<E> ofKind = all(kind);
        if (ofKind.isEmpty()) {
            throw new AssertionError("no " + kind.getSimpleName() + " among " + recorded);
        }
        return ofKind.get(ofKind.size() - 1);
    }

    /** The kinds of the events so far, in order. */
    public List<Class<? extends Event>> kinds() {
        List<Class<? extends Event>> kinds = new ArrayList<>();
        recorded.forEach(event -> kinds.add(event.getClass()));
        return List.copyOf(kinds);
    }

    /** Forgets the events so far. */
    public void clear() {
        recorded.clear();
    }

    @Override
    public void close() {
        subscriptions.forEach(Events.Subscription::close);
    }

    @Override
    public String toString() {
        return recorded.toString();
    }
}
