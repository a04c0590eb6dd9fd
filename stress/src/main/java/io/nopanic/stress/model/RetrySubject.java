package io.nopanic.stress.model;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.retry.Retry;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Timer;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The retry beside {@link NaiveRetry}, blocking and staged: each delay to the nanosecond, hints, limits of time, calls that are given up, and a budget
 * that grants so many extra calls per window. What a budget takes from the number of calls is not exact and has a subject of its own.
 */
final class RetrySubject implements Subject {

    @Override
    public String name() {
        return "retry";
    }

    @Override
    public List<String> expected() {
        return List.of(
                "retry: ATTEMPTS_EXHAUSTED",
                "retry: TIME_EXHAUSTED",
                "retry: BUDGET_EXHAUSTED",
                "retry: NOT_RETRYABLE",
                "retry: CANCELLED",
                "retry: scheduled",
                "retry: good",
                "retry: bad",
                "retry: timed out",
                "retry: cancelled");
    }

    private enum Do {
        CALL_BLOCKING,
        CALL_STAGED
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new RetrySetup(RetrySettings.draw(random));
    }

    private record RetrySetup(RetrySettings settings) implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            return new Step(
                    random.nextInt(3) > 0
                            ? 0
                            : random.nextLong(settings.spending().windowNanos()) >> random.nextInt(8),
                    random.nextBoolean() ? Do.CALL_BLOCKING : Do.CALL_STAGED,
                    random.nextInt(1_000_000),
                    0);
        }

        @Override
        public int maxSteps() {
            return 60;
        }

        @Override
        public Run begin(Tally tally) {
            return new RetryRun(settings, tally);
        }
    }

    private static final class RetryRun implements Run {

        private final RetrySettings settings;
        private final Tally tally;
        private final VirtualTime time = VirtualTime.create();
        private final NaiveRetry model;
        private final Budget budget;
        private final Pipeline pipeline;
        private final List<String> events = new ArrayList<>();
        private int compared;

        RetryRun(RetrySettings settings, Tally tally) {
            this.settings = settings;
            this.tally = tally;
            model = new NaiveRetry(settings, time.nanos());
            budget = settings.budget(time.time());
            Retry retry = settings.builder(budget, time.time()).build();
            retry.events().subscribe(this::told);
            Pipeline.Builder builder = Pipeline.builder().name("pipeline").time(time.time());
            if (settings.limits().deadlineNanos() > 0) {
                builder.with(Timeout.of(Duration.ofNanos(settings.limits().deadlineNanos())));
            }
            pipeline = builder.with(retry).build();
        }

        private void told(Event event) {
            if (event instanceof Event.RetryScheduled e) {
                events.add("scheduled after " + e.attempt() + ": " + e.delayNanos());
                tally.count("retry: scheduled");
            } else if (event instanceof Event.RetryGaveUp e) {
                events.add("gave up after " + e.attempts() + ": " + e.reason());
                tally.count("retry: " + e.reason());
            }
        }

        @Override
        public void step(Step step) {
            if (model.tied) {
                return;
            }
            time.advance(Duration.ofNanos(step.afterNanos()));
            Plan plan = Plan.of(step.which());
            model.nowNanos = time.nanos();
            String expected = model.call(plan);
            if (model.tied) {
                return;
            }
            String actual = step.what() == Do.CALL_BLOCKING ? block(plan) : stage(plan);
            Divergence.unlessSame(
                    "events of " + plan,
                    model.events.subList(compared, model.events.size()),
                    events.subList(compared, events.size()));
            compared = events.size();
            Divergence.unlessSame("the outcome of " + plan, expected, actual);
            Divergence.unlessSame("the end of " + plan, model.nowNanos, time.nanos());
            if (settings.spending().perSecond() >= 0) {
                Divergence.unlessSame("the budget", model.available(time.nanos()), budget.available());
            }
            Divergence.unlessSame("timers left", 0, time.pendingTimers());
            if (!actual.contains(" in ")) {
                tally.count("retry: " + actual);
            }
        }

        // ---------------- the call

        private String block(Plan plan) {
            AtomicInteger attempts = new AtomicInteger();
            Thread caller = Thread.currentThread();
            Timer.@Nullable Scheduled givingUp = plan.givenUpAfterNanos() == 0
                    ? null
                    : time.time().schedule(plan.givenUpAfterNanos(), caller::interrupt);
            try {
                Object value = pipeline.call(() -> {
                    int number = attempts.incrementAndGet();
                    Plan.Attempt attempt = plan.attempt(number);
                    passTime(attempt.takesNanos());
                    return end(attempt, number);
                });
                return String.valueOf(value);
            } catch (Throwable thrown) {
                return fate(thrown);
            } finally {
                if (givingUp != null) {
                    givingUp.cancel();
                }
                boolean unused = Thread.interrupted();
            }
        }

        private void passTime(long nanos) throws InterruptedException {
            long endNanos = time.nanos() + nanos;
            while (endNanos - time.nanos() > 0) {
                time.time().park(this, endNanos - time.nanos());
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }

        private static Object end(Plan.Attempt attempt, int number) throws Plan.Failed {
            String outcome = NaiveRetry.outcome(attempt, number);
            if (attempt.end() == Plan.End.ERROR) {
                throw new AssertionError(outcome);
            }
            if (attempt.end() == Plan.End.GOOD || attempt.end() == Plan.End.BAD_RESULT) {
                return outcome;
            }
            throw new Plan.Failed(outcome, Duration.ofNanos(attempt.hintNanos()));
        }

        private String stage(Plan plan) {
            AtomicInteger attempts = new AtomicInteger();
            CompletableFuture<Object> call = pipeline.callAsync(() -> {
                int number = attempts.incrementAndGet();
                return attempt(plan.attempt(number), number);
            });
            if (plan.givenUpAfterNanos() > 0 && !call.isDone()) {
                Timer.Scheduled givingUp = time.time().schedule(plan.givenUpAfterNanos(), () -> call.cancel(true));
                time.advanceUntil(call::isDone);
                givingUp.cancel();
            }
            time.advanceUntil(call::isDone);
            return call.handle((value, thrown) -> thrown == null ? String.valueOf(value) : fate(thrown))
                    .join();
        }

        private CompletableFuture<Object> attempt(Plan.Attempt attempt, int number) {
            CompletableFuture<Object> body = new CompletableFuture<>();
            if (attempt.takesNanos() == 0) {
                end(body, attempt, number);
                return body;
            }
            Timer.Scheduled ending = time.time().schedule(attempt.takesNanos(), () -> end(body, attempt, number));
            var unused = body.whenComplete((value, thrown) -> ending.cancel());
            return body;
        }

        private static void end(CompletableFuture<Object> body, Plan.Attempt attempt, int number) {
            try {
                body.complete(end(attempt, number));
            } catch (Throwable thrown) {
                body.completeExceptionally(thrown);
            }
        }

        private static String fate(Throwable thrown) {
            Throwable failure = Failures.unwrap(thrown);
            if (failure instanceof TimeoutExceededException) {
                return "timed out";
            }
            return Failures.isCancellation(failure) ? "cancelled" : String.valueOf(failure.getMessage());
        }
    }
}
