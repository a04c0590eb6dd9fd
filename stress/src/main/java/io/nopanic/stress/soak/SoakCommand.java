package io.nopanic.stress.soak;

import io.nopanic.stress.Mode;
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

    /** A pool has as many as it had things to do at one time, and that may happen to become more: by one in a round. */
    private static final double ALLOWED_THREADS = ROUNDS;

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
            "HedgeStarted",
            "HedgeWon");

    @ParentCommand
    private Mode mode;

    @Mixin
    private RunOptions options = new RunOptions();

    @Override
    public Integer call() throws InterruptedException {
        Duration duration = options.time(mode.isQuick(), QUICK, THOROUGH);
        CountedTime time = new CountedTime();
        Guards guards = new Guards(time.time);
        Load load = new Load(guards, time);
        List<Round> rounds = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        long startNanos = System.nanoTime();
        System.out.println(Round.header());
        for (int i = 0; i < ROUNDS && wrong.isEmpty(); i++) {
            try {
                load.run(duration.dividedBy(ROUNDS));
            } catch (TimeoutException wedged) {
                wrong.add("calls do not end: " + wedged.getMessage());
                break;
            }
            Round round = Round.measure((System.nanoTime() - startNanos) / 1e9, load.calls.sum(), guards, time);
            System.out.println(round);
            rounds.add(round);
            wrong.addAll(round.wrong());
        }
        report(guards, load, time, wrong);
        if (wrong.isEmpty()) {
            judge(rounds, wrong);
        }
        wrong.forEach(what -> System.out.println("FAILED: " + what));
        return wrong.isEmpty() ? 0 : 1;
    }

    private static void report(Guards guards, Load load, CountedTime time, List<String> wrong) {
        System.out.println();
        for (String kind : EXPECTED) {
            System.out.printf(Locale.ROOT, "%,14d  %s%n", guards.told(kind), kind);
            if (guards.told(kind) == 0) {
                wrong.add("never happened: " + kind);
            }
        }
        System.out.printf(Locale.ROOT, "%,14d  cancelled by their caller%n", load.cancelled.sum());
        System.out.printf(Locale.ROOT, "%,14d  timers set%n%n", time.scheduled.get());
    }

    private static void judge(List<Round> rounds, List<String> wrong) {
        judge("bytes of the heap", Trend.of(rounds, Round::heapBytes), ALLOWED_BYTES, wrong);
        judge("threads", Trend.of(rounds, Round::threads), ALLOWED_THREADS, wrong);
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
