package io.nopanic.engine;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What a blocking call goes through on its way to the guarded code and back. Immutable and shared by all calls. */
abstract class Step {

    final Context context;

    /**
     * Whether a blocking call reads the clock here or further in, before the guarded code runs. Then it is read as far out as possible, once for
     * all.
     */
    final boolean readsTimeOnEntry;

    Step(Context context, boolean readsTimeOnEntry) {
        this.context = context;
        this.readsTimeOnEntry = readsTimeOnEntry;
    }

    /**
     * Runs the rest of a blocking call from here on.
     *
     * @param nowNanos a reading of the clock from just before, or {@link Context#UNREAD_NANOS}
     * @param deadlineNanos when the call must have ended, or {@link Context#NO_DEADLINE_NANOS}
     * @return the result, or {@link Thrown}
     * @throws Exception means the same as an exception in {@code Thrown}; for steps that are seldom passed
     */
    abstract @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception;

    /** The time given, or, if that was not read yet but will be needed here or further in, the clock's. */
    final long timeOnEntry(long nowNanos) {
        return readsTimeOnEntry ? context.readIfUnread(nowNanos) : nowNanos;
    }
}
