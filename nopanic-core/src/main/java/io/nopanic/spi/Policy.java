package io.nopanic.spi;

import io.nopanic.events.Events;
import io.nopanic.time.Time;
import java.util.Optional;

/**
 * Something that can stand in a pipeline. It has one of five shapes, each a question that the engine asks. A policy object is meant
 * to be shared: one per dependency, in as many pipelines as call it.
 */
public sealed interface Policy permits Admission, Deadline, Repetition, Race, Substitution {

    /** The name used in events, exceptions and descriptions. */
    String name();

    /** The kind of policy in words, as in {@code circuit breaker}. */
    String kind();

    /** The settings in one line, for people. */
    String describe();

    /** What happens in this policy. */
    Events events();

    /**
     * The time this policy runs on, if it has one. All policies of a pipeline must share it; a pipeline in which none has one
     * runs on {@link Time#system()}.
     */
    default Optional<Time> time() {
        return Optional.empty();
    }
}
