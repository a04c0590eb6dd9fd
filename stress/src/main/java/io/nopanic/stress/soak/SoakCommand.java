package io.nopanic.stress.soak;

import io.nopanic.stress.Mode;
import io.nopanic.stress.Verdict;
import io.nopanic.stress.script.RunOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Real threads and real time, for minutes. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description =
                "Mixed load with real threads in real time: calls that block, wait, time out, are hedged, retried, refused and cancelled. Between"
                        + " its rounds all is still: then no permit, no timer and no thread may be left over, and the heap may not grow.")
public final class SoakCommand implements Callable<Integer> {

    private static final Duration QUICK = Duration.ofSeconds(15);
    private static final Duration THOROUGH = Duration.ofMinutes(10);
    private static final int ROUNDS = 15;

    /** So much may be left of things that only seem to grow; for millions of calls it is less than a byte each. */
    private static final double ALLOWED_BYTES = 256 * 1024;

    /** So long the threads that serve the process may stay when there is nothing to do. */
    private static final long SERVICE_NANOS = 10_000_000_000L;

    /** So long those of a pool may, in a run that is not much shorter than that. */
    private static final long POOL_NANOS = 75_000_000_000L;

    private static final Duration LONG = Duration.ofMinutes(2);

    private static final List<String> EXPECTED = List.of(
            "CallSucceeded",
            "CallFailed",
            "RetryScheduled",
            "RetryGaveUp",
            "to OPEN",
            "on evidence to OPEN",
            "on evidence to CLOSED",
            "to HALF_OPEN",
            "to CLOSED",
            "BreakerRefused",
            "BreakerLateOutcome",
            "BulkheadRefused",
            "RateLimiterWaited",
            "RateLimiterRefused",
            "RateChanged",
            "TimedOut",
            Guards.EXACT + " TimedOut",
            Guards.COARSE + " TimedOut",
            "HedgeStarted",
            "HedgeWon");

    @ParentCommand
    private Mode mode;

    @Mixin
    private RunOptions options = new RunOptions();

    @Override
    public Integer call() throws InterruptedException {
        Duration duration = options.time(mode.isQuick(), QUICK, THOROUGH);
        Threads threads = new Threads();
        CountedTime time = new CountedTime();
        Guards guards = new Guards(time.time);
        Load load = new Load(guards, time);
        List<Round> rounds = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        long startNanos = System.nanoTime();
        System.out.println(Callers.canBeVirtual() ? "half of the callers on virtual threads" : "no virtual threads");
        System.out.println(Round.header());
        for (int i = 0; i < ROUNDS && wrong.isEmpty(); i++) {
            try {
                load.run(duration.dividedBy(ROUNDS));
            } catch (TimeoutException wedged) {
                wrong.add("calls do not end: " + wedged.getMessage());
                break;
            }
            Round round = Round.measure(startNanos, load, guards, time, threads);
            System.out.println(round);
            rounds.add(round);
            wrong.addAll(round.wrong());
        }
        List<String> missing = report(guards, load, time);
        if (wrong.isEmpty()) {
            judge("bytes of the heap", Trend.of(rounds, Round::heapBytes), ALLOWED_BYTES, wrong);
            judge(threads, duration.compareTo(LONG) >= 0, wrong);
        }
        wrong.forEach(what -> System.out.println("FAILED: " + what));
        missing.forEach(what -> System.out.println("UNSURE: never happened: " + what));
        Verdict seen = wrong.isEmpty() ? Verdict.PASSED : Verdict.FAULT;
        return seen.and(missing.isEmpty() ? Verdict.PASSED : Verdict.UNJUDGED).exitCode();
    }

    /** Prints what happened; returns what never did. */
    private static List<String> report(Guards guards, Load load, CountedTime time) {
        List<String> missing = new ArrayList<>();
        System.out.println();
        for (String kind : EXPECTED) {
            System.out.printf(Locale.ROOT, "%,14d  %s%n", guards.told(kind), kind);
            if (guards.told(kind) == 0) {
                missing.add(kind);
            }
        }
        System.out.printf(Locale.ROOT, "%,14d  cancelled by their caller%n", load.cancelled.sum());
        System.out.printf(Locale.ROOT, "%,14d  calls with a watchdog%n", load.watchedCalls.sum());
        System.out.printf(Locale.ROOT, "%,14d  timers set by the others%n%n", time.scheduled.get());
        return missing;
    }

    /**
     * Whatever the load has started has to end when there is nothing to do. So no number of threads is allowed to be left, and one that is kept in the whole run
     * is found: after a short run unless it waits in a pool for something to do, after a long one there, too.
     */
    private static void judge(Threads threads, boolean pools, List<String> wrong) {
        long startNanos = System.nanoTime();
        List<String> left =
                pools ? Threads.await(threads::all, POOL_NANOS) : Threads.await(threads::exceptIdle, SERVICE_NANOS);
        System.out.printf(
                Locale.ROOT,
                "threads: %d left after %.1f s%s%n",
                left.size(),
                (System.nanoTime() - startNanos) / 1e9,
                pools ? "" : ", beside the idle ones of pools");
        left.forEach(thread -> wrong.add("left over: " + thread));
    }

    private static void judge(String what, Trend trend, double allowed, List<String> wrong) {
        System.out.printf(
                Locale.ROOT,
                "%s: %+,.0f in the last %,d calls, give or take %,.0f; allowed are %,.0f and twice that much%n",
                what,
                trend.growth(),
                trend.calls(),
                trend.noise(),
                allowed);
        if (!trend.isFlat(allowed)) {
            wrong.add(what + " grow");
        }
    }
}
