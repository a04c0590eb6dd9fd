package io.nopanic.benchmarks.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured that is no single call. Not thread-safe. */
public final class Others {

    private final Map<String, List<Runs>> loads = new LinkedHashMap<>();
    private final Map<String, Runs> fresh = new LinkedHashMap<>();
    private final Map<String, Runs> virtual = new LinkedHashMap<>();
    private final Map<String, Double> virtualCalls = new LinkedHashMap<>();
    private final Map<String, Bytes> retained = new LinkedHashMap<>();
    private final Map<String, Map<Long, Double>> growth = new LinkedHashMap<>();
    private final Map<String, List<Throughput>> lab = new LinkedHashMap<>();

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
     * @param calls how many it went through, to a few in a thousand
     */
    public record Throughput(long calls, double seconds) {

        /** Millions of them in a second. */
        public double millionsPerSecond() {
            return calls / 1e6 / seconds;
        }
    }

    /** The load on each contestant, one after the other in each round. */
    public Map<String, List<Runs>> loads() {
        return loads;
    }

    /** The load with an exception of its own for each failing call. */
    public Map<String, Runs> fresh() {
        return fresh;
    }

    /** The load with virtual threads. */
    public Map<String, Runs> virtual() {
        return virtual;
    }

    /** How many calls a second virtual threads make through one guard. */
    public Map<String, Double> virtualCalls() {
        return virtualCalls;
    }

    /** What each breaker holds. */
    public Map<String, Bytes> retained() {
        return retained;
    }

    /** Time per call, by calls in the window. */
    public Map<String, Map<Long, Double>> growth() {
        return growth;
    }

    /** Commands of the lab, each with logs of several lengths. */
    public Map<String, List<Throughput>> lab() {
        return lab;
    }

    void addLab(String command, Throughput timed) {
        lab.computeIfAbsent(command, key -> new ArrayList<>()).add(timed);
    }

    void addLoad(String contestant, Runs runs) {
        loads.computeIfAbsent(contestant, key -> new ArrayList<>()).add(runs);
    }
}
