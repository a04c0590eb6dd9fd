package io.nopanic.benchmarks.run;

import static io.nopanic.benchmarks.run.Target.atLeast;
import static io.nopanic.benchmarks.run.Target.atMost;

import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.Sample;
import io.nopanic.benchmarks.run.Results.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** What nopanic should cost. All that is compared comes out of the same run. */
public final class Targets {

    private static final String BREAKER = "breaker/nopanic";
    private static final String FAILING = "breaker-failing/nopanic";
    private static final String SMALLRYE = "SmallRye, count window";
    private static final String R4J = "Resilience4j, time window";
    private static final String COARSE = ", coarse clock";
    private static final String LEASED = COARSE + " and leases";
    private static final String OURS = "nopanic";
    private static final String X = "x";
    private static final String NS = "ns";
    private static final String BYTES = "bytes";

    /** Less than this per call is none: it is what the measuring itself allocates. */
    private static final double NO_BYTES = 0.5;

    private static final double MANY_BYTES = 16_384;

    private Targets() {}

    /** Among whom the best one is looked for. */
    private enum Rivals {
        /** Everybody. */
        ALL("the best peer"),
        /** Those that read an exact clock for each call; the semaphore limiter of Resilience4j reads none, a timer refills it. */
        EXACT("the best exact peer"),
        /** Those with a window of time and an exact clock; and SmallRye, which has only windows of calls. */
        TIMED("the best peer with a time window, or SmallRye");

        private final String words;

        Rivals(String words) {
            this.words = words;
        }

        boolean include(String peer) {
            boolean coarse = peer.contains("coarse");
            return switch (this) {
                case ALL -> true;
                case EXACT -> !coarse && !peer.contains("semaphore");
                case TIMED -> !coarse && (!peer.contains("count window") || peer.contains("SmallRye"));
            };
        }
    }

    /** All targets. */
    public static List<Target> all() {
        List<Target> all = new ArrayList<>();
        all.addAll(breaker());
        all.addAll(single());
        all.addAll(pipelines());
        all.addAll(load());
        return List.copyOf(all);
    }

    private static List<Target> breaker() {
        String count = BREAKER + ", count window";
        return List.of(
                overNanoTime(1.4, "Breaker, success", BREAKER, 1),
                overNanoTime(1.4, "Breaker, success", BREAKER, 2),
                overNanoTime(1.4, "Breaker, a third throws", FAILING, 1),
                overNanoTime(1.4, "Breaker, a third throws", FAILING, 2),
                faster(3, "Breaker, success", BREAKER, SMALLRYE, 2),
                faster(6, "Breaker, success", BREAKER, R4J, 2),
                fasterThanBest(5, "Breaker, success", BREAKER, 32, Rivals.TIMED),
                nanos(6, "Breaker, success, coarse clock", BREAKER + COARSE, 1),
                nanos(6, "Breaker, success, coarse clock", BREAKER + COARSE, 2),
                nanos(6, "Breaker, a third throws, coarse clock", FAILING + COARSE, 1),
                nanos(6, "Breaker, a third throws, coarse clock", FAILING + COARSE, 2),
                fasterThanBest(30, "Breaker, success, coarse clock", BREAKER + COARSE, 32, Rivals.ALL),
                nanos(3, "Breaker, clean count window", count, 1),
                nanos(3, "Breaker, clean count window", count, 2),
                nanos(3, "Breaker, consecutive failures, healthy", BREAKER + ", consecutive failures", 1),
                nanos(3, "Breaker, consecutive failures, healthy", BREAKER + ", consecutive failures", 2),
                nanos(3, "Breaker, evidence, healthy", BREAKER + ", evidence", 1),
                nanos(3, "Breaker, evidence, healthy", BREAKER + ", evidence", 2));
    }

    private static List<Target> single() {
        String limiter = "limiter/nopanic";
        String timeout = "timeout/nopanic";
        return List.of(
                asLong(1, "Retry, first try", "retry/nopanic"),
                noBytes("Retry, first try", "retry/nopanic"),
                fasterThanBest(2, "Retry, first try", "retry/nopanic", 2, Rivals.ALL),
                fasterThanBest(2, "Retry, first try", "retry/nopanic", 32, Rivals.ALL),
                overNanoTime(1.3, "Rate limiter, granted", limiter, 1),
                noBytes("Rate limiter, granted", limiter),
                overNanoTime(1.2, "Rate limiter, refused", "limiter-empty/nopanic", 1),
                fasterThanBest(8, "Rate limiter, granted, coarse clock and leases", limiter + LEASED, 2, Rivals.EXACT),
                asLong(1, "Bulkhead", "bulkhead/nopanic"),
                fasterThanBest(5, "Bulkhead", "bulkhead/nopanic", 2, Rivals.ALL),
                fasterThanBest(8, "Bulkhead", "bulkhead/nopanic", 32, Rivals.ALL),
                overNanoTime(1.6, "Timeout", timeout, 1),
                nanos(12, "Timeout, coarse clock", timeout + COARSE, 1),
                fasterOnTheWall(8, "Timeout", timeout, "SmallRye"),
                fasterOnTheWall(40, "Timeout", timeout, "Failsafe"));
    }

    private static List<Target> pipelines() {
        String three = "pipeline/nopanic";
        String four = "pipeline-limited/nopanic";
        String pending = "staged-pending/nopanic";
        String threeName = "Retry, breaker, bulkhead";
        String fourName = "Those and a rate limiter";
        return List.of(
                overNanoTime(1.5, threeName, three, 1),
                noBytes(threeName, three),
                noBytesOnNewerJava(threeName, three),
                fasterThanBest(5, threeName, three, 2, Rivals.ALL),
                fasterThanBest(6, threeName, three, 32, Rivals.ALL),
                nanos(12, threeName + ", coarse clock", three + COARSE, 1),
                overNanoTime(1.7, fourName, four, 1),
                noBytes(fourName, four),
                noBytesOnNewerJava(fourName, four),
                fasterThanBest(5, fourName, four, 2, Rivals.ALL),
                fasterThanBest(6, fourName, four, 32, Rivals.ALL),
                nanos(16, fourName + ", coarse clock and leases", four + LEASED, 1),
                asLong(0.5, "The four around a pending stage", pending),
                atMost(
                        0.5,
                        X,
                        "The four around a pending stage, bytes beside the fewest of a peer",
                        figures -> bytesBesidePeers(figures.results(), pending)));
    }

    private static List<Target> load() {
        return List.of(
                atMost(0.08, "s", "Load of 3.2 million calls, warm", warm(FAILING)),
                atMost(0.03, "s", "Load of 3.2 million calls, warm, coarse clock", warm(FAILING + COARSE)),
                atLeast(4, X, "Load of 3.2 million calls, warm: times as fast as the best peer", Targets::loadSpeed),
                atMost(
                        0.4,
                        "s",
                        "Load of 3.2 million calls, first run",
                        figures -> seconds(figures, FAILING, Others.Runs::coldSeconds)),
                atMost(
                        MANY_BYTES,
                        BYTES,
                        "Held by a breaker after a million calls",
                        figures -> Optional.ofNullable(
                                        figures.others().retained().get("nopanic, time window"))
                                .map(held -> Interval.exactly((double) held.after()))),
                atMost(1.1, X, "Growth: a call in a fuller window, beside one in an emptier", growth(FAILING)),
                atMost(1.1, X, "Growth, coarse clock", growth(FAILING + COARSE)),
                atLeast(
                        1,
                        "M calls/s",
                        "Lab: simulated calls through one policy, the whole process",
                        figures -> lab(figures, Lab.SIMULATED, Others.LabCommand::millionsPerSecond)),
                atMost(
                        20,
                        "s",
                        "Lab: a million lines of nginx through six policies, the whole process",
                        figures -> lab(figures, Lab.REPLAYED, (command, seconds) -> seconds)));
    }

    /** With the shortest log. */
    private static Optional<Interval> lab(
            Figures figures, String name, ToDoubleBiFunction<Others.LabCommand, Double> figure) {
        Rounds<Others.LabCommand, Double> lab = figures.others().lab();
        return lab.keys().stream()
                .filter(command -> command.name().equals(name))
                .min(Comparator.comparingLong(Others.LabCommand::calls))
                .flatMap(command -> lab.of(command, seconds -> figure.applyAsDouble(command, seconds)));
    }

    private static Target overNanoTime(double limit, String what, String key, int threads) {
        return atMost(
                limit,
                X,
                what + ": time beside nanoTime, " + threads(threads),
                figures -> figures.results().of(new Cell(key, threads), Sample::timesClock));
    }

    private static Target nanos(double limit, String what, String key, int threads) {
        return atMost(
                limit,
                NS,
                what + ", " + threads(threads),
                figures -> figures.results().of(new Cell(key, threads), Sample::nanos));
    }

    private static Target noBytes(String what, String key) {
        return atMost(
                NO_BYTES,
                BYTES,
                what + ": allocated",
                figures -> figures.results().of(new Cell(key, 1), Sample::bytes));
    }

    private static Target noBytesOnNewerJava(String what, String key) {
        return atMost(
                NO_BYTES,
                BYTES,
                what + ": allocated on a newer Java",
                figures -> figures.newer().of(new Cell(key, 1), Sample::bytes));
    }

    private static Target faster(double limit, String what, String key, String peer, int threads) {
        Cell other = new Cell(group(key).key() + "/" + peer, threads);
        return atLeast(
                limit,
                X,
                what + ": times as fast as " + peer + ", " + threads(threads),
                figures -> figures.results().ratio(other, new Cell(key, threads)));
    }

    /** For peers that let another thread do something, and wait for it. */
    private static Target fasterOnTheWall(double limit, String what, String key, String peer) {
        Cell other = new Cell(group(key).key() + "/" + peer, 1);
        return atLeast(
                limit,
                X,
                what + ": times as fast as " + peer + " on the wall, " + threads(1),
                figures -> figures.results().ratio(other, new Cell(key, 1), Sample::wallNanos));
    }

    private static Target fasterThanBest(double limit, String what, String key, int threads, Rivals rivals) {
        return atLeast(
                limit,
                X,
                what + ": times as fast as " + rivals.words + ", " + threads(threads),
                figures -> figures.results()
                        .bestPeer(group(key), threads, rivals::include)
                        .flatMap(best -> figures.results().ratio(best, new Cell(key, threads))));
    }

    private static Target asLong(double limit, String what, String key) {
        return atMost(
                limit,
                X,
                what + ": time beside " + Rivals.ALL.words + ", " + threads(1),
                figures -> figures.results()
                        .bestPeer(group(key), 1, Rivals.ALL::include)
                        .flatMap(best -> figures.results().ratio(new Cell(key, 1), best)));
    }

    private static Group group(String key) {
        return Contestants.named(key).group();
    }

    private static Optional<Interval> bytesBesidePeers(Results results, String key) {
        return results.fewestBytes(Group.STAGED_PENDING, 1)
                .flatMap(fewest -> results.ratio(new Cell(key, 1), fewest, Sample::bytes));
    }

    private static String threads(int threads) {
        return threads == 1 ? "1 thread" : threads + " threads";
    }

    private static Function<Figures, Optional<Interval>> warm(String key) {
        return figures -> seconds(figures, key, Others.Runs::warmSeconds);
    }

    private static Optional<Interval> seconds(Figures figures, String key, ToDoubleFunction<Others.Runs> measure) {
        return figures.others().loads().of(key, measure);
    }

    /** The best peer is the one with the best mean; rounds are compared one by one. */
    private static Optional<Interval> loadSpeed(Figures figures) {
        Rounds<String, Others.Runs> loads = figures.others().loads();
        return loads.keys().stream()
                .filter(key -> key.contains("/") && !key.contains("/" + OURS))
                .min(Comparator.comparingDouble(key ->
                        loads.of(key, Others.Runs::warmSeconds).orElseThrow().value()))
                .flatMap(best -> loads.ratio(best, FAILING, Others.Runs::warmSeconds));
    }

    private static Function<Figures, Optional<Interval>> growth(String key) {
        return figures -> figures.others().growth().of(key, Targets::mostGrowth);
    }

    /** From whichever size to whichever larger one, sizes in ascending order. */
    private static double mostGrowth(Map<Long, Double> nanosBySize) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double nanos : nanosBySize.values()) {
            most = Math.max(most, nanos / least);
            least = Math.min(least, nanos);
        }
        return most;
    }
}
