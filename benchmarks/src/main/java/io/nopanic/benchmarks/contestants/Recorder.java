package io.nopanic.benchmarks.contestants;

/** A breaker that is told by hand how calls end. */
@FunctionalInterface
public interface Recorder extends Subject {

    /**
     * Asks whether a call may be made, and says how it ended.
     *
     * @return whether it might be made
     */
    boolean record(boolean failed) throws Exception;
}
