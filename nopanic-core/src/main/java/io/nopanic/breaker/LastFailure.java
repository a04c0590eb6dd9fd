package io.nopanic.breaker;

import io.nopanic.outcome.Failures;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The failure seen last. Every failing call writes it, so it stands 128 bytes away from whatever other calls read. */
final class LastFailure {

    private static final int PLACE = 32;

    private final AtomicReferenceArray<@Nullable Throwable> padded = new AtomicReferenceArray<>(2 * PLACE + 1);

    void set(Throwable error) {
        padded.setOpaque(PLACE, error);
    }

    /** The failure, unwrapped. */
    @Nullable Throwable get() {
        Throwable error = padded.getOpaque(PLACE);
        return error == null ? null : Failures.unwrap(error);
    }
}
