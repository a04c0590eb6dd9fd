package io.nopanic.lab.call;

import java.util.List;
import java.util.OptionalLong;

/**
 * Calls that were made, in the order in which they began; can be read as often as one likes, by several threads at the same time. Larger than
 * memory, if need be.
 */
public interface CallLog extends AutoCloseable {

    /** How many calls. */
    long size();

    /** What the calls went to; a call names one by its place in this list. One name if calls were not told apart. */
    List<String> keys();

    /** A new reader, before the first call. */
    CallCursor open();

    /** From which duration on an answered call is {@link Ending#SLOW}, if from any. */
    default OptionalLong slowAfterNanos() {
        return OptionalLong.empty();
    }

    @Override
    default void close() {}
}
