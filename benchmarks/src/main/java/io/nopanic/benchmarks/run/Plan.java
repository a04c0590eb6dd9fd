package io.nopanic.benchmarks.run;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.ForkPlan;
import io.nopanic.benchmarks.load.LoadPlan;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What is measured, how often and how long.
 *
 * @param quick whether a quarter of an hour has to do
 * @param rounds how often each contestant is measured, in a process of its own each time
 * @param minutes after so many no further round of calls begins
 * @param fork what each process does
 * @param only which contestants; all where this finds anything in their keys
 */
public record Plan(boolean quick, int rounds, int minutes, ForkPlan fork, Pattern only) {

    private static final List<Integer> THREADS = List.of(1, 2, 32);
    private static final ForkPlan BRIEF_FORK = new ForkPlan(THREADS, 1500, 200, 3, 120);
    private static final int MOST_ROUNDS = 100;
    private static final int LOAD_THREADS = 32;
    private static final int LOAD_CALLS = 100_000;
    private static final int VIRTUAL_THREADS = 1000;
    private static final int VIRTUAL_CALLS = 3200;
    private static final int MOST_GROWTH = 100_000_000;
    private static final int MOST_QUICK_GROWTH = 1_000_000;

    /** What a quick run measures: what has a target, and the peers that have been the best, or near it, in a full run. */
    private static final Map<Group, String> QUICK = Map.ofEntries(
            Map.entry(Group.FLOOR, "direct call|nanoTime.*|atomic add"),
            Map.entry(Group.BREAKER, "nopanic.*|.*, time window|SmallRye.*"),
            Map.entry(Group.BREAKER_FAILING, "nopanic.*|.*, time window|SmallRye.*"),
            Map.entry(Group.RETRY, "nopanic|Resilience4j"),
            Map.entry(Group.LIMITER, "nopanic.*|Resilience4j.*|Failsafe, by permits|Guava|Bucket4j"),
            Map.entry(Group.LIMITER_EMPTY, "nopanic|Bucket4j"),
            Map.entry(Group.BULKHEAD, "nopanic.*|Resilience4j"),
            Map.entry(Group.TIMEOUT, "nopanic.*|SmallRye|Failsafe"),
            Map.entry(Group.PIPELINE, "nopanic.*|Resilience4j.*|SmallRye"),
            Map.entry(Group.PIPELINE_LIMITED, "nopanic.*|Resilience4j.*|SmallRye"),
            Map.entry(Group.STAGED_PENDING, "nopanic|Resilience4j|SmallRye"));

    /** Who else is measured with virtual threads: of groups with targets nopanic and its peers as they come, on a whole and usual path. */
    static final Map<Group, String> VIRTUAL = Map.of(
            Group.BREAKER,
                    "nopanic(, coarse clock|, evidence)?|Resilience4j, time window|Failsafe, time window|SmallRye.*",
            Group.BREAKER_FAILING,
                    "nopanic(, coarse clock)?|Resilience4j, time window|Failsafe, time window|SmallRye.*",
            Group.RETRY, "nopanic|Resilience4j|Failsafe|SmallRye|Spring core",
            Group.LIMITER, "nopanic|nopanic.*leases|Resilience4j, atomic|Failsafe, by permits|SmallRye|Guava|Bucket4j",
            Group.BULKHEAD, "nopanic|Resilience4j|Failsafe, by permits|SmallRye|concurrency-limits, fixed",
            Group.TIMEOUT, "nopanic(, coarse clock)?|Resilience4j|Failsafe|SmallRye",
            Group.PIPELINE, "nopanic(, coarse clock)?|Resilience4j|Failsafe|SmallRye",
            Group.PIPELINE_FAILING, "nopanic|Resilience4j|Failsafe|SmallRye",
            Group.PIPELINE_LIMITED, "nopanic|nopanic.*leases|Resilience4j|Failsafe|SmallRye");

    /** A run of about ten minutes. */
    public static Plan quick(Pattern only) {
        return new Plan(true, 3, 10, new ForkPlan(THREADS, 1000, 100, 2, 80), only);
    }

    /** A run of some hours. */
    public static Plan full(Pattern only) {
        return new Plan(false, 5, 240, new ForkPlan(THREADS, 2000, 300, 5, 150), only);
    }

    /** The same, but with as many rounds as can be begun within so many minutes. */
    public Plan lasting(int newMinutes) {
        return new Plan(quick, MOST_ROUNDS, newMinutes, fork, only);
    }

    /** What each process does that measures one of a group: without a target it is shorter. */
    ForkPlan fork(Group group) {
        return quick || QUICK.containsKey(group) ? fork : BRIEF_FORK;
    }

    /** Whose calls are measured. */
    public List<Contestant> contestants() {
        return Contestants.all().stream()
                .filter(one -> !quick || isQuick(one))
                .filter(one -> isWanted(one.key()))
                .toList();
    }

    /** A run that asks for something by name gets it, also a quick one. */
    private boolean isQuick(Contestant one) {
        return !only.pattern().isEmpty() || one.name().matches(QUICK.getOrDefault(one.group(), ""));
    }

    private boolean isWanted(String key) {
        return only.matcher(key).find();
    }

    /** Who gets a load. */
    List<String> loaded() {
        return Contestants.of(Group.BREAKER_FAILING).stream()
                .filter(one -> !quick || isQuick(one))
                .map(Contestant::key)
                .filter(key -> isWanted("load/" + key))
                .toList();
    }

    /** Who is called by virtual threads; no target needs it, so a quick run does it only when asked to. */
    List<String> calledVirtually() {
        if (quick && only.pattern().isEmpty()) {
            return List.of();
        }
        return Contestants.all().stream()
                .filter(one -> one.name().matches(VIRTUAL.getOrDefault(one.group(), "")))
                .map(Contestant::key)
                .filter(key -> isWanted("virtual/" + key))
                .toList();
    }

    boolean wantsLoad() {
        return !loaded().isEmpty();
    }

    boolean wantsRetained() {
        return isWanted("retained");
    }

    boolean wantsLab() {
        return isWanted("lab");
    }

    /** The lengths of the logs that the lab is given. */
    List<Long> labLines() {
        return quick ? List.of(1_000_000L) : List.of(1_000_000L, 10_000_000L);
    }

    /** Whose growth is measured in a round; peers', which takes minutes, in the first one only. */
    List<String> growing(int round) {
        return Contestants.of(Group.BREAKER_FAILING).stream()
                .filter(one -> round == 1 || one.isOurs())
                .map(Contestant::key)
                .filter(key -> key.contains("nopanic") || key.contains("time window"))
                .filter(key -> !key.contains("count") && !key.contains("lock-free"))
                .filter(key -> isWanted("growth/" + key))
                .toList();
    }

    int mostGrowth() {
        return quick ? MOST_QUICK_GROWTH : MOST_GROWTH;
    }

    /** After how many rounds of calls there is one of what is no single call. */
    int otherRounds() {
        return quick ? 1 : 3;
    }

    LoadPlan load() {
        return new LoadPlan(LOAD_THREADS, LOAD_CALLS, quick ? 4 : 6, false, false);
    }

    /** Whether loads are measured for which there is no target. */
    boolean wantsAllLoads() {
        return wantsLoad() && !(quick && only.pattern().isEmpty());
    }

    LoadPlan freshLoad() {
        return new LoadPlan(LOAD_THREADS, LOAD_CALLS, quick ? 2 : 4, false, true);
    }

    LoadPlan virtualLoad() {
        return new LoadPlan(VIRTUAL_THREADS, VIRTUAL_CALLS, quick ? 3 : 5, true, false);
    }

    /** Whether there is nothing to do. */
    public boolean isEmpty() {
        return contestants().isEmpty()
                && !wantsLoad()
                && !wantsRetained()
                && !wantsLab()
                && growing(1).isEmpty()
                && calledVirtually().isEmpty();
    }
}
