package io.nopanic.stress.simulation;

import io.nopanic.events.CircuitState;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.NopanicException;
import io.nopanic.pipeline.Permit;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import io.nopanic.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One history of a {@link World}, and the laws that it has to keep. */
final class SimulationRun implements Subject.Run {

    private static final long MILLI = 1_000_000;
    private static final long SECONDS_OF_DAY = 86_400;

    /** By then every answer has come, every wait is over and every timer has run. */
    private static final long BOUND_NANOS = Duration.ofHours(30).toNanos();

    private final Tally tally;
    private final World world;
    private final List<Call> calls = new ArrayList<>();

    /** By generation: who was let in while the breaker was half-open. */
    private final Map<Long, List<Long>> probes = new HashMap<>();

    private int number;
    private int heldByHand;

    /** A staged call. */
    private static final class Call {
        final int number;

        @Nullable CompletableFuture<Object> promise;

        int ends;

        Call(int number) {
            this.number = number;
        }
    }

    SimulationRun(long seed, Tally tally) {
        this.tally = tally;
        world = new World(seed, tally, this::letIn);
    }

    @Override
    public long history() {
        return world.history.hash();
    }

    private void letIn(long permit) {
        if (world.history.state() == CircuitState.HALF_OPEN) {
            List<Long> out = probes.computeIfAbsent(world.history.generation(), key -> new ArrayList<>());
            out.add(permit);
            tally.count("breaker: probes let in");
        }
    }

    // ---------------- steps

    @Override
    public void step(Step step) {
        world.clock.pass(step.afterNanos());
        switch ((SimulationSubject.Do) step.what()) {
            case CALL_STAGED -> callStaged(step);
            case CALL_BLOCKING -> callBlocking(step);
            case CALL_BY_HAND -> callByHand(step);
            case CANCEL -> cancel(step.which());
            case COMPLETE_FROM_OUTSIDE -> completeFromOutside(step.which());
            case PASS_TIME -> world.clock.pass(step.detail() * MILLI / 8);
            case JUMP_AHEAD -> jumpAhead(step);
            case JUMP_WALL_CLOCK -> jumpWallClock(step);
            case CHANGE_FAULTS -> world.dependency.faults = step.detail() % 101;
            case RESIZE -> world.bulkhead.resize(1 + step.detail() % 6, step.which() % 6);
            case CHANGE_RATE -> world.changeRate(2 + step.which(), Duration.ofNanos((50 + step.detail()) * MILLI));
            case FORCE -> force(step.detail());
        }
        checkLaws();
    }

    /** As after a pause of the process, or of the machine. */
    private void jumpAhead(Step step) {
        long count = step.detail();
        switch (step.which() % 5) {
            case 0 -> {
                tally.count("clock: minutes ahead");
                world.clock.jumpAhead(Duration.ofMinutes(count % 60).toNanos());
            }
            case 1 -> {
                tally.count("clock: hours ahead");
                world.clock.jumpAhead(Duration.ofHours(count % 60).toNanos());
            }
            default -> {
                tally.count("clock: a moment ahead");
                world.clock.jumpAhead(count * MILLI);
            }
        }
    }

    private void jumpWallClock(Step step) {
        long seconds = (step.detail() - 500L) * (step.which() % 5 == 0 ? SECONDS_OF_DAY : 1);
        tally.count(seconds < 0 ? "clock: wall clock set back" : "clock: wall clock set ahead");
        world.clock.jumpWallClock(Duration.ofSeconds(seconds).toNanos());
    }

    private void force(int detail) {
        switch (detail % 4) {
            case 0 -> world.breaker.forceOpen();
            case 1 -> world.breaker.forceClosed();
            default -> world.breaker.reset();
        }
    }

    private void callStaged(Step step) {
        Call call = new Call(number++);
        calls.add(call);
        CompletableFuture<Object> promise = world.staged.callAsync(world.dependency::stage);
        call.promise = promise;
        tally.count("calls: staged");
        var unusedEnd = promise.whenComplete((value, thrown) -> {
            call.ends++;
            ended(call.number, value, thrown == null ? null : Failures.unwrap(thrown));
        });
        if (step.which() < 10 && !promise.isDone()) {
            Timer.Scheduled givingUp = world.clock.time.schedule(step.detail() * MILLI / 8, () -> {
                if (promise.cancel(true)) {
                    tally.count("calls: cancelled by their caller");
                }
            });
            var unused = promise.whenComplete((value, thrown) -> givingUp.cancel());
        }
    }

    private void callBlocking(Step step) {
        int call = number++;
        tally.count("calls: blocking");
        Thread caller = Thread.currentThread();
        boolean[] interrupted = {false};
        Timer.@Nullable Scheduled interrupting = step.which() >= 10
                ? null
                : world.clock.time.schedule(step.detail() * MILLI / 8, () -> {
                    interrupted[0] = true;
                    tally.count("calls: interrupted");
                    caller.interrupt();
                });
        Object value = null;
        Throwable error = null;
        try {
            value = world.blocking.call(world.dependency::call);
        } catch (Throwable thrown) {
            error = thrown;
        }
        if (interrupting != null) {
            interrupting.cancel();
        }
        boolean flag = Thread.interrupted();
        Divergence.unless(
                interrupted[0] || !flag, "the thread is interrupted after a call that nobody interrupted: " + error);
        Divergence.unless(
                interrupted[0] || !(error instanceof InterruptedException), "interrupted by nobody: " + error);
        Divergence.unless(!(error instanceof InterruptedException) || flag, "the flag is not set after " + error);
        ended(call, value, error);
    }

    private void callByHand(Step step) {
        int call = number++;
        tally.count("calls: by hand");
        Permit permit;
        try {
            permit = world.byHand.admit();
        } catch (NopanicException refused) {
            world.history.note(call + " " + refused.getMessage());
            return;
        } catch (InterruptedException impossible) {
            throw new Divergence("interrupted by nobody");
        }
        heldByHand++;
        var unused = world.clock.time.schedule(step.detail() * MILLI / 4, () -> {
            heldByHand--;
            boolean first = switch (step.which() % 3) {
                case 0 -> permit.succeeded("good");
                case 1 -> permit.failed(new IllegalStateException("call " + call + " failed"));
                default -> {
                    permit.close();
                    yield true;
                }
            };
            boolean second = permit.failed(new IllegalStateException("once too often"));
            permit.close();
            world.history.note(call + " settled " + first + " " + second);
        });
    }

    private List<Call> unanswered() {
        return calls.stream()
                .filter(call -> call.promise != null && !call.promise.isDone())
                .toList();
    }

    private void cancel(int which) {
        List<Call> unanswered = unanswered();
        if (!unanswered.isEmpty()) {
            CompletableFuture<Object> promise = unanswered.get(which % unanswered.size()).promise;
            tally.count("calls: cancelled by their caller");
            Divergence.unless(promise != null && promise.cancel(true), "a call that had not ended was not cancelled");
        }
    }

    private void completeFromOutside(int which) {
        List<Call> unanswered = unanswered();
        if (!unanswered.isEmpty()) {
            CompletableFuture<Object> promise = unanswered.get(which % unanswered.size()).promise;
            tally.count("calls: completed by their caller");
            Divergence.unless(promise != null && promise.complete("outside"), "a call that had not ended was ended");
        }
    }

    private void ended(int call, @Nullable Object value, @Nullable Throwable error) {
        world.history.note(call + " " + value + " " + error + " at " + world.clock.nanos());
        tally.count("ends: "
                + (error == null ? String.valueOf(value) : error.getClass().getSimpleName()));
    }

    // ---------------- laws

    private void checkLaws() {
        if (world.history.wrong != null) {
            throw world.history.wrong;
        }
        int onTheirWay = world.bulkhead.inUse() - world.insideBulkhead.inside();
        Divergence.unless(
                onTheirWay >= 0 && onTheirWay <= world.handedOver,
                "in use are " + world.bulkhead.inUse() + " permits, inside " + world.insideBulkhead.inside()
                        + " calls, and on their way at most " + world.handedOver);
        world.history.agreesWith(world.breaker, world.probes);
        if (world.history.state() == CircuitState.HALF_OPEN) {
            long out = probes.getOrDefault(world.history.generation(), List.of()).stream()
                    .filter(world.insideBreaker::isInside)
                    .count();
            Divergence.unless(out <= world.probes, out + " probes are out, allowed are " + world.probes);
        }
        for (Call call : calls) {
            Divergence.unless(call.ends <= 1, "call " + call.number + " ended " + call.ends + " times");
        }
        if (isIdle()) {
            tally.count("laws: nothing left when idle");
            Divergence.unlessSame("timers left when nothing is under way", 0, world.clock.virtual.pendingTimers());
        }
        Divergence.unlessSame("what timers threw", List.of(), world.clock.virtual.timerFailures());
        Divergence.unless(world.bulkhead.queued() >= 0 && world.limiter.queued() >= 0, "less than none wait");
        calls.removeIf(call -> call.promise != null && call.promise.isDone() && call.ends == 1);
    }

    private boolean isIdle() {
        return unanswered().isEmpty()
                && world.dependency.running == 0
                && world.outside.inside() == 0
                && heldByHand == 0
                && world.handedOver == 0
                && world.computing == 0;
    }

    @Override
    public void end() {
        world.clock.pass(BOUND_NANOS);
        checkLaws();
        Divergence.unlessSame(
                "calls that never end",
                List.of(),
                unanswered().stream().map(call -> call.number).toList());
        Divergence.unlessSame("calls that the dependency still works on", 0, world.dependency.running);
        Divergence.unlessSame("inside the outermost gate", 0, world.outside.inside());
        Divergence.unlessSame("inside the breaker", 0, world.insideBreaker.inside());
        Divergence.unlessSame("inside the limiter", 0, world.insideLimiter.inside());
        Divergence.unlessSame("inside the bulkhead", 0, world.insideBulkhead.inside());
        Divergence.unlessSame("waiting for the bulkhead", 0, world.bulkhead.queued());
        Divergence.unlessSame("waiting for the limiter", 0, world.limiter.queued());
        Divergence.unlessSame("waiting for the adaptive limiter", 0, world.adaptive.queued());
        Divergence.unlessSame("timers left", 0, world.clock.virtual.pendingTimers());
        tally.count("histories");
    }
}
