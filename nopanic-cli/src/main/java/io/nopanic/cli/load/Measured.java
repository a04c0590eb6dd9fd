package io.nopanic.cli.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the command has measured.
 *
 * @param first the load in a cold JVM: class loading and compilation included
 * @param second the same load once more
 * @param memory what a breaker holds
 * @param naive the counter-example; {@code null} if it was not wanted
 */
record Measured(
        Load.Result first,
        Load.Result second,
        Memory memory,
        @Nullable Naive naive) {

    /**
     * The counter-example.
     *
     * @param bytes what it holds after {@link Memory#CALLS} calls
     * @param steps its time beside ours
     */
    record Naive(long bytes, List<Growth.Step> steps) {}
}
