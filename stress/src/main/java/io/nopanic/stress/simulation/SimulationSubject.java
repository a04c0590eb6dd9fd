package io.nopanic.stress.simulation;

import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import java.util.List;
import java.util.random.RandomGenerator;

/** A world with many callers. */
final class SimulationSubject implements Subject {

    private static final long MILLI = 1_000_000;

    enum Do {
        CALL_STAGED,
        CALL_BLOCKING,
        CALL_BY_HAND,
        CANCEL,
        COMPLETE_FROM_OUTSIDE,
        PASS_TIME,
        JUMP_AHEAD,
        JUMP_WALL_CLOCK,
        CHANGE_FAULTS,
        RESIZE,
        CHANGE_RATE,
        FORCE
    }

    private static final Do[] RARE = {
        Do.JUMP_AHEAD, Do.JUMP_WALL_CLOCK, Do.CHANGE_FAULTS, Do.RESIZE, Do.CHANGE_RATE, Do.FORCE
    };

    @Override
    public String name() {
        return "simulation";
    }

    @Override
    public List<String> expected() {
        return List.of(
                "breaker: CLOSED to OPEN",
                "breaker: OPEN to HALF_OPEN",
                "breaker: HALF_OPEN to OPEN",
                "breaker: HALF_OPEN to CLOSED",
                "breaker: refused OPEN",
                "breaker: refused HALF_OPEN",
                "breaker: probes let in",
                "calls: cancelled by their caller",
                "calls: completed by their caller",
                "calls: interrupted",
                "calls: staged",
                "calls: blocking",
                "calls: by hand",
                "clock: a moment ahead",
                "clock: hours ahead",
                "clock: minutes ahead",
                "clock: wall clock set ahead",
                "clock: wall clock set back",
                "dependency: hangs",
                "dependency: interrupted",
                "dependency: no stage",
                "dependency: throws in place of a stage",
                "ends: AssertionError",
                "ends: Fault",
                "ends: NoClassDefFoundError",
                "ends: StackOverflowError",
                "events: BreakerLateOutcome",
                "events: BulkheadRefused",
                "events: CallFailed",
                "events: CallSucceeded",
                "events: FallbackUsed",
                "events: HedgeLoserFailed",
                "events: HedgeStarted",
                "events: HedgeWon",
                "events: RateChanged",
                "events: RateLimiterRefused",
                "events: RateLimiterWaited",
                "events: RetryGaveUp",
                "events: RetryScheduled",
                "events: TimedOut",
                "laws: nothing left when idle",
                "retry: ATTEMPTS_EXHAUSTED",
                "retry: BUDGET_EXHAUSTED",
                "retry: CANCELLED",
                "retry: NOT_RETRYABLE",
                "retry: TIME_EXHAUSTED");
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new Seeded(random.nextLong());
    }

    private record Seeded(long seed) implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            int dice = random.nextInt(100);
            Do what;
            if (dice < 45) {
                what = Do.CALL_STAGED;
            } else if (dice < 60) {
                what = Do.CALL_BLOCKING;
            } else if (dice < 68) {
                what = Do.CALL_BY_HAND;
            } else if (dice < 75) {
                what = Do.CANCEL;
            } else if (dice < 77) {
                what = Do.COMPLETE_FROM_OUTSIDE;
            } else if (dice < 92) {
                what = Do.PASS_TIME;
            } else {
                what = RARE[random.nextInt(RARE.length)];
            }
            long afterNanos = random.nextInt(2) == 0 ? random.nextLong(50 * MILLI) >> random.nextInt(8) : 0;
            return new Step(afterNanos, what, random.nextInt(50), random.nextInt(1000));
        }

        @Override
        public int maxSteps() {
            return 400;
        }

        @Override
        public Run begin(Tally tally) {
            return new SimulationRun(seed, tally);
        }

        @Override
        public String toString() {
            return new World(seed, new Tally(), permit -> {}).toString();
        }
    }
}
