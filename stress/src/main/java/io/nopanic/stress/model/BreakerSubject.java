package io.nopanic.stress.model;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.breaker.CircuitSnapshot;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import io.nopanic.events.Event;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker beside {@link NaiveBreaker}: exact in all that can be seen. Or its window alone, in long scripts: in half of them the breaker is forced closed, so that nothing but the
 * window's content changes; in the others it trips, with more outcomes in it than elsewhere.
 */
final class BreakerSubject implements Subject {

    private final boolean windowOnly;

    BreakerSubject(boolean windowOnly) {
        this.windowOnly = windowOnly;
    }

    @Override
    public String name() {
        return windowOnly ? "window" : "breaker";
    }

    @Override
    public List<String> expected() {
        if (windowOnly) {
            return List.of(
                    "window: times it was full", "window: times it had forgotten something", "breaker: CLOSED to OPEN");
        }
        return List.of(
                "breaker: CLOSED to OPEN",
                "breaker: OPEN to HALF_OPEN",
                "breaker: HALF_OPEN to OPEN",
                "breaker: HALF_OPEN to CLOSED",
                "breaker: refused OPEN",
                "breaker: refused HALF_OPEN",
                "breaker: refused FORCED_OPEN",
                "breaker: late outcomes",
                "breaker: opened on entry, by calls in flight",
                "breaker: opened on evidence",
                "breaker: learned a call rate",
                "breaker: probed again after refused calls");
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new BreakerSetup(
                BreakerRules.draw(random, windowOnly),
                windowOnly,
                random.nextInt(3, 40),
                windowOnly && random.nextBoolean());
    }

    private enum Do {
        BEGIN,
        BEGIN_MANY,
        SUCCEED,
        FAIL,
        FAIL_WITH_HINT,
        TIME_OUT,
        IGNORE,
        CANCEL,
        PASS_TIME,
        FORCE_OPEN,
        FORCE_CLOSED,
        RESET
    }

    /** More than an outage needs to teach something. */
    private static final int MANY = 25;

    private static final Do[] BY_HAND = {Do.FORCE_OPEN, Do.FORCE_CLOSED, Do.RESET};
    private static final Do[] NOT_GOOD = {Do.FAIL, Do.FAIL_WITH_HINT, Do.TIME_OUT, Do.IGNORE, Do.CANCEL, Do.PASS_TIME};

    private record BreakerSetup(BreakerRules rules, boolean windowOnly, int badOf40, boolean forcedClosed)
            implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            Do what;
            if (!windowOnly && random.nextInt(100) == 0) {
                what = BY_HAND[random.nextInt(BY_HAND.length)];
            } else if (!windowOnly && random.nextInt(60) == 0) {
                what = Do.BEGIN_MANY;
            } else if (random.nextInt(100) < 48) {
                what = Do.BEGIN;
            } else if (random.nextInt(40) < badOf40) {
                what = NOT_GOOD[random.nextInt(NOT_GOOD.length)];
            } else {
                what = Do.SUCCEED;
            }
            long afterNanos = random.nextInt(windowOnly ? 10 : 3) == 0 ? rules.drawSpanNanos(random) : 0;
            return new Step(afterNanos, what, random.nextInt(10), random.nextInt(4));
        }

        @Override
        public int maxSteps() {
            return windowOnly ? 3000 : 300;
        }

        @Override
        public Run begin(Tally tally) {
            BreakerRun run = new BreakerRun(rules, tally);
            if (forcedClosed) {
                run.forceClosed();
            }
            return run;
        }
    }

    /** A failure that knows when to come back. */
    private static final class Hinting extends Exception implements HasRetryAfter {

        private static final long serialVersionUID = 1L;
        private final Duration hint;

        Hinting(Duration hint) {
            super("hint " + hint);
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(hint);
        }
    }

    private static final class BreakerRun implements Run {

        private final BreakerRules rules;
        private final Tally tally;
        private final VirtualTime time = VirtualTime.create();
        private final NaiveBreaker model;
        private final CircuitBreaker breaker;
        private final Pipeline pipeline;
        private final List<String> events = new ArrayList<>();
        private final List<Open> calls = new ArrayList<>();
        private int compared;
        private int failures;
        private int lessons;

        /** A call that has not ended; either with a permit by hand, or staged. */
        private record Open(
                NaiveBreaker.Call model,
                @Nullable Permit permit,
                @Nullable CompletableFuture<Object> body) {}

        BreakerRun(BreakerRules rules, Tally tally) {
            this.rules = rules;
            this.tally = tally;
            breaker = rules.builder()
                    .name("breaker")
                    .ignore(IllegalArgumentException.class)
                    .time(time.time())
                    .build();
            breaker.events().subscribe(this::told);
            model = new NaiveBreaker(rules, time.nanos());
            pipeline = Pipeline.of(breaker);
        }

        private void told(Event event) {
            if (event instanceof Event.BreakerStateChanged e) {
                if (e.from() == CircuitState.CLOSED && rules.evidence().used()) {
                    tally.count("breaker: opened on evidence");
                }
                if (e.from() == CircuitState.OPEN && rules.opening().quadratic().used() && e.generation() > 3) {
                    tally.count("breaker: probed again after refused calls");
                }
                events.add("changed " + e.generation() + " " + e.from() + " to " + e.to() + " " + e.counts() + " "
                        + e.lastFailure());
                tally.count("breaker: " + e.from() + " to " + e.to());
            } else if (event instanceof Event.BreakerRefused e) {
                events.add("refused " + e.state() + " " + e.retryAfterNanos());
                tally.count("breaker: refused " + e.state());
            } else if (event instanceof Event.BreakerLateOutcome e) {
                events.add("late " + e.failed());
                tally.count("breaker: late outcomes");
            }
        }

        @Override
        public void step(Step step) {
            if (step.afterNanos() > 0) {
                time.advance(Duration.ofNanos(step.afterNanos()));
            }
            long nowNanos = time.nanos();
            switch ((Do) step.what()) {
                case BEGIN -> begin((step.detail() & 1) == 0, nowNanos);
                case BEGIN_MANY -> {
                    for (int i = 0; i < MANY; i++) {
                        begin((step.detail() & 1) == 0, nowNanos);
                    }
                }
                case PASS_TIME -> {}
                case FORCE_OPEN -> {
                    breaker.forceOpen();
                    model.forceOpen(nowNanos);
                }
                case FORCE_CLOSED -> forceClosed();
                case RESET -> {
                    breaker.reset();
                    model.reset(nowNanos);
                }
                default -> end((Do) step.what(), step, nowNanos);
            }
            tally.add("breaker: learned a call rate", model.lessons - lessons);
            lessons = model.lessons;
            Divergence.unlessSame("events", model.events.subList(compared, model.events.size()), eventsSince(compared));
            compared = events.size();
            // Not after every step, so that steps also meet a breaker that nobody has looked at since time passed.
            if (step.detail() != 3) {
                compare(nowNanos);
            }
        }

        void forceClosed() {
            breaker.forceClosed();
            model.forceClosed(time.nanos());
        }

        private List<String> eventsSince(int from) {
            return from == 0 ? events : events.subList(from, events.size());
        }

        // ---------------- calls

        private void begin(boolean byHand, long nowNanos) {
            CircuitState before = model.state;
            NaiveBreaker.Call expected = model.enter(nowNanos);
            if (before == CircuitState.CLOSED && model.state == CircuitState.OPEN) {
                tally.count("breaker: opened on entry, by calls in flight");
            }
            Open call = byHand ? admit(expected, nowNanos) : start(expected, nowNanos);
            if (call != null) {
                calls.add(call);
            }
        }

        private @Nullable Open admit(NaiveBreaker.@Nullable Call expected, long nowNanos) {
            try {
                Permit permit = pipeline.admit();
                Divergence.unless(expected != null, "let in a call that was to be refused");
                return expected == null ? null : new Open(expected, permit, null);
            } catch (CircuitOpenException refused) {
                compareRefusal(expected, refused, nowNanos);
                return null;
            } catch (InterruptedException impossible) {
                throw new Divergence("interrupted: " + impossible);
            }
        }

        private @Nullable Open start(NaiveBreaker.@Nullable Call expected, long nowNanos) {
            CompletableFuture<Object> body = new CompletableFuture<>();
            CompletableFuture<Object> call = pipeline.callAsync(() -> body);
            if (expected != null) {
                Divergence.unless(!call.isDone(), "refused a call that was to be let in");
                return new Open(expected, null, body);
            }
            Divergence.unless(call.isCompletedExceptionally(), "let in a call that was to be refused");
            var unused =
                    call.whenComplete((value, thrown) -> compareRefusal(null, (CircuitOpenException) thrown, nowNanos));
            return null;
        }

        private void compareRefusal(NaiveBreaker.@Nullable Call expected, CircuitOpenException refused, long nowNanos) {
            Divergence.unless(expected == null, "refused a call that was to be let in");
            Divergence.unlessSame("refused in state", model.state, refused.state());
            long retryAfterNanos = refused.retryAfter().map(Duration::toNanos).orElse(-1L);
            Divergence.unlessSame("retryAfter of a refusal", model.retryAfterNanos(nowNanos), retryAfterNanos);
            Divergence.unlessSame("cause of a refusal", model.lastFailure, refused.getCause());
        }

        private void end(Do how, Step step, long nowNanos) {
            if (calls.isEmpty()) {
                return;
            }
            Open call = calls.remove(step.which() % calls.size());
            Throwable error = error(how, step);
            boolean judged = how != Do.IGNORE && how != Do.CANCEL;
            boolean failed = judged && error != null;
            long hintNanos = error instanceof Hinting hinting ? hinting.hint.toNanos() : 0;
            model.end(call.model, new NaiveBreaker.End(judged, failed, how == Do.TIME_OUT, hintNanos, error), nowNanos);
            if (call.permit != null) {
                settle(call.permit, error);
            } else if (call.body != null) {
                boolean unused = error == null ? call.body.complete("good") : call.body.completeExceptionally(error);
            }
        }

        private static void settle(Permit permit, @Nullable Throwable error) {
            boolean settled = error == null ? permit.succeeded("good") : permit.failed(error);
            Divergence.unless(settled, "a permit was settled before");
            permit.close();
        }

        private @Nullable Throwable error(Do how, Step step) {
            String message = "failure " + failures++;
            return switch (how) {
                case FAIL -> new IllegalStateException(message);
                case FAIL_WITH_HINT ->
                    new Hinting(Duration.ofNanos(rules.opening().baseNanos() * step.which() / 2));
                case TIME_OUT -> new TimeoutException(message);
                case IGNORE -> new IllegalArgumentException(message);
                case CANCEL -> new CancellationException(message);
                default -> null;
            };
        }

        // ---------------- comparing

        private void compare(long nowNanos) {
            model.look(nowNanos);
            CircuitSnapshot seen = breaker.snapshot();
            Divergence.unlessSame("state", model.state, seen.state());
            Divergence.unlessSame("state()", model.state, breaker.state());
            Counts counts = model.counts(nowNanos);
            Divergence.unlessSame("counts", counts, seen.counts());
            if (counts.calls() == rules.window().calls()) {
                tally.count("window: times it was full");
            } else if (counts.calls() < model.logged()) {
                tally.count("window: times it had forgotten something");
            }
            Divergence.unlessSame(
                    "calls in flight", model.inFlight(), seen.inFlight().orElse(-1));
            Divergence.unlessSame("late outcomes", model.late, seen.lateOutcomes());
            Divergence.unlessSame("refused", model.refused, seen.refused());
            Divergence.unlessSame(
                    "retryAfter",
                    model.retryAfterNanos(nowNanos),
                    seen.retryAfter().map(Duration::toNanos).orElse(-1L));
            Divergence.unlessSame(
                    "last failure", model.lastFailure, seen.lastFailure().orElse(null));
            Divergence.unlessSame("since", time.wallTime().minusNanos(nowNanos - model.sinceNanos), seen.since());
            Divergence.unlessSame(
                    "events of a look", model.events.subList(compared, model.events.size()), eventsSince(compared));
            compared = events.size();
        }
    }
}
