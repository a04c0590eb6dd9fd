package io.nopanic.benchmarks.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured that is no single call. Not thread-safe. */
public final class Others {

    private final Rounds<String, Runs> loads = new Rounds<>();
    private final Rounds<String, Runs> fresh = new Rounds<>();
    private final Rounds<String, Runs> virtual = new Rounds<>();
    private final Rounds<String, Double> virtualCalls = new Rounds<>();
    private final Map<String, Bytes> retained = new LinkedHashMap<>();
    private final Rounds<String, Map<Long, Double>> growth = new Rounds<>();
    private final Rounds<LabCommand, Double> lab = new Rounds<>();

    /**
     * The runs of a load in one process.
     *
     * @param nanos how long each took
     */
    public record Runs(List<Long> nanos) {

        /** The first one. */
        public double coldSeconds() {
            return nanos.get(0) / 1e9;
        }

        /** The median of the others. */
        public double warmSeconds() {
            List<Long> warm = nanos.subList(1, nanos.size()).stream().sorted().toList();
            return warm.get(warm.size() / 2) / 1e9;
        }
    }

    /**
     * What a breaker holds.
     *
     * @param before when it is new
     * @param after with a million calls in its window
     */
    public record Bytes(long before, long after) {}

    /**
     * A command of the lab, as a whole process.
     *
     * @param name what it does
     * @param calls how many it goes through, to a few in a thousand
     */
    public record LabCommand(String name, long calls) {

        /** Millions of them in a second. */
        public double millionsPerSecond(double seconds) {
            return calls / 1e6 / seconds;
        }
    }

    /** The load on each contestant. */
    public Rounds<String, Runs> loads() {
        return loads;
    }

    /** The load with an exception of its own for each failing call. */
    public Rounds<String, Runs> fresh() {
        return fresh;
    }

    /** The load with virtual threads. */
    public Rounds<String, Runs> virtual() {
        return virtual;
    }

    /** How many calls a second virtual threads make through one guard. */
    public Rounds<String, Double> virtualCalls() {
        return virtualCalls;
    }

    /** What each breaker holds. */
    public Map<String, Bytes> retained() {
        return retained;
    }

    /** Time per call, by calls in the window. */
    public Rounds<String, Map<Long, Double>> growth() {
        return growth;
    }

    /** How many seconds commands of the lab take. */
    public Rounds<LabCommand, Double> lab() {
        return lab;
    }
}
