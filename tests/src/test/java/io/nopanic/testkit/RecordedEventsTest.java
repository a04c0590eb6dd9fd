package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Event;
import io.nopanic.events.Events;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RecordedEventsTest {

    private final Events source = new Events();
    private final Events other = new Events();

    @Test
    void remembersEventsOfSeveralSourcesInOrder() {
        RecordedEvents events = RecordedEvents.of(source, other);
        source.publish(new Event.CallSucceeded(stamp("a"), 1));
        other.publish(new Event.HedgeStarted(stamp("b"), 1));
        source.publish(new Event.CallSucceeded(stamp("c"), 2));
        assertThat(events.all()).extracting(Event::name).containsExactly("a", "b", "c");
        assertThat(events.kinds())
                .containsExactly(Event.CallSucceeded.class, Event.HedgeStarted.class, Event.CallSucceeded.class);
        assertThat(events.all(Event.CallSucceeded.class)).hasSize(2);
        assertThat(events.count(Event.TimedOut.class)).isZero();
        assertThat(events.last(Event.CallSucceeded.class).durationNanos()).isEqualTo(2);
        assertThatThrownBy(() -> events.last(Event.TimedOut.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("TimedOut");
    }

    @Test
    void forgetsAndStopsListeningWhenTold() {
        RecordedEvents events = RecordedEvents.of(source);
        source.publish(new Event.HedgeStarted(stamp("a"), 1));
        events.clear();
        source.publish(new Event.HedgeStarted(stamp("b"), 1));
        events.close();
        source.publish(new Event.HedgeStarted(stamp("c"), 1));
        assertThat(events.all()).extracting(Event::name).containsExactly("b");
        assertThat(source.isListenedTo()).isFalse();
    }

    @Test
    void listensToAPipelineAndItsPolicies() {
        VirtualTime time = VirtualTime.create();
        Guarded service = ScriptedDependency.on(time).thenSucceed("ok").guardedBy();
        RecordedEvents events = RecordedEvents.of(service.pipeline());
        service.call();
        assertThat(events.kinds()).containsExactly(Event.CallSucceeded.class);
    }

    private static Event.Stamp stamp(String name) {
        return new Event.Stamp(name, 0, Instant.EPOCH);
    }
}
