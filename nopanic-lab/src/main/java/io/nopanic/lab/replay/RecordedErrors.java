package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What a breaker is told a call threw; made once, since breakers look at nothing but the type. */
final class RecordedErrors {

    private final Exception failure = new Exception("recorded as failed");
    private final Exception timeout = new TimeoutException("recorded as timed out");

    /** A cancelled call says nothing about the dependency. */
    private final Exception ignored = new CancellationException("recorded as ignored");

    /** {@code null} for an answer; whether it was too late a breaker sees by itself, if it counts slow calls. */
    @Nullable Throwable of(Ending ending) {
        return switch (ending) {
            case SUCCESS, SLOW -> null;
            case FAILURE -> failure;
            case TIMEOUT -> timeout;
            case IGNORED -> ignored;
        };
    }
}
