package io.nopanic.stress.model;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Step;
import io.nopanic.stress.script.Subject;
import io.nopanic.stress.script.Tally;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The bulkhead and its queue beside {@link NaiveBulkhead}: exact, also when calls are given up whose code goes on. */
final class BulkheadSubject implements Subject {

    /** Longer than any script; added to the clock it must not overflow twice. */
    private static final long NEVER_NANOS = Long.MAX_VALUE / 8;

    @Override
    public String name() {
        return "bulkhead";
    }

    @Override
    public List<String> expected() {
        return List.of(
                "bulkhead: refused at once",
                "bulkhead: refused after a wait",
                "bulkhead: let in after a wait",
                "bulkhead: left the line",
                "bulkhead: timed out while waiting",
                "bulkhead: timed out while running",
                "bulkhead: code went on after its caller was answered",
                "bulkhead: resized while calls wait");
    }

    private enum Do {
        ENTER,
        ENTER_WITH_DEADLINE,
        END,
        FAIL,
        CANCEL,
        PASS_TIME,
        RESIZE
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new BulkheadSetup(
                random.nextInt(1, 6),
                random.nextInt(0, 6),
                random.nextBoolean() ? NEVER_NANOS : random.nextLong(1, 1_000_000),
                random.nextLong(1, 1_000_000));
    }

    private record BulkheadSetup(int maxConcurrent, int maxQueued, long maxWaitNanos, long timeoutNanos)
            implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            Do[] dice = {
                Do.ENTER,
                Do.ENTER,
                Do.ENTER,
                Do.ENTER_WITH_DEADLINE,
                Do.ENTER_WITH_DEADLINE,
                Do.END,
                Do.END,
                Do.FAIL,
                Do.CANCEL,
                Do.PASS_TIME
            };
            Do what = random.nextInt(30) == 0 ? Do.RESIZE : dice[random.nextInt(dice.length)];
            long afterNanos = random.nextInt(3) == 0
                    ? random.nextLong(random.nextBoolean() ? timeoutNanos : Math.min(maxWaitNanos, 1_000_000)) / 2
                    : 0;
            return new Step(afterNanos, what, random.nextInt(8), random.nextInt(6));
        }

        @Override
        public Run begin(Tally tally) {
            return new BulkheadRun(this, tally);
        }
    }

    /** The code of a call: ends when told, and when it is cancelled only if it is obedient. */
    private static final class Code extends CompletableFuture<Object> {

        private final boolean obedient;

        Code(boolean obedient) {
            this.obedient = obedient;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return obedient && super.cancel(mayInterruptIfRunning);
        }
    }

    private static final class Open {
        final NaiveBulkhead.Call model;
        final Code code;
        boolean begun;
        boolean waited;

        @Nullable CompletableFuture<Object> call;

        Open(NaiveBulkhead.Call model) {
            this.model = model;
            code = new Code(model.obedient);
        }

        CompletableFuture<Object> begin() {
            begun = true;
            return code;
        }

        String fate() {
            if (call == null || !call.isDone()) {
                return begun ? "runs" : "waits";
            }
            return call.handle((value, thrown) -> thrown == null ? "good" : fate(Failures.unwrap(thrown)))
                    .join();
        }

        private static String fate(Throwable thrown) {
            if (thrown instanceof BulkheadFullException full) {
                return "refused after " + full.waited().toNanos();
            }
            if (thrown instanceof TimeoutExceededException) {
                return "timed out";
            }
            return Failures.isCancellation(thrown) ? "cancelled" : "failed";
        }
    }

    private static final class BulkheadRun implements Run {

        private final Tally tally;
        private final VirtualTime time = VirtualTime.create();
        private final Bulkhead bulkhead;
        private final Timeout timeout;
        private final Pipeline plain;
        private final Pipeline timed;
        private final NaiveBulkhead model;
        private final List<String> events = new ArrayList<>();
        private final List<Open> calls = new ArrayList<>();

        BulkheadRun(BulkheadSetup setup, Tally tally) {
            this.tally = tally;
            Bulkhead.Builder builder = Bulkhead.builder()
                    .name("bulkhead")
                    .time(time.time())
                    .maxConcurrent(setup.maxConcurrent)
                    .maxQueued(setup.maxQueued);
            if (setup.maxWaitNanos < NEVER_NANOS) {
                builder.maxWait(Duration.ofNanos(setup.maxWaitNanos));
            }
            bulkhead = builder.build();
            bulkhead.events()
                    .subscribe(
                            Event.BulkheadRefused.class, event -> events.add("refused after " + event.waitedNanos()));
            timeout = Timeout.builder()
                    .name("timeout")
                    .after(Duration.ofNanos(setup.timeoutNanos))
                    .build();
            plain = Pipeline.builder().name("plain").with(bulkhead).build();
            timed = Pipeline.builder()
                    .name("timed")
                    .with(timeout)
                    .with(bulkhead)
                    .build();
            model = new NaiveBulkhead(setup.maxConcurrent, setup.maxQueued, setup.maxWaitNanos, time.nanos());
        }

        @Override
        public void step(Step step) {
            if (model.tied) {
                return;
            }
            if (step.afterNanos() > 0) {
                time.advance(Duration.ofNanos(step.afterNanos()));
                model.passTo(time.nanos());
                if (model.tied) {
                    return;
                }
            }
            switch ((Do) step.what()) {
                case ENTER -> enter(plain, NEVER_NANOS, step.detail() < 4);
                case ENTER_WITH_DEADLINE -> enter(timed, timeout.timeoutNanos(), step.detail() < 4);
                case END, FAIL -> end(step);
                case CANCEL -> cancel(step.which());
                case RESIZE -> {
                    tally.add("bulkhead: resized while calls wait", model.line.isEmpty() ? 0 : 1);
                    model.resize(step.detail() + 1, step.which());
                    bulkhead.resize(step.detail() + 1, step.which());
                }
                default -> {}
            }
            compare();
        }

        private void enter(Pipeline pipeline, long deadlineNanos, boolean obedient) {
            Open open = new Open(model.enter(deadlineNanos, obedient));
            open.call = pipeline.callAsync(open::begin);
            open.waited = open.model.fate.equals("waits");
            calls.add(open);
            tally.add("bulkhead: refused at once", open.model.fate.startsWith("refused") ? 1 : 0);
        }

        private void end(Step step) {
            List<Open> running = calls.stream()
                    .filter(each -> model.running.contains(each.model))
                    .toList();
            if (running.isEmpty()) {
                return;
            }
            Open ends = running.get(step.which() % running.size());
            tally.add("bulkhead: code went on after its caller was answered", ends.model.fate.equals("runs") ? 0 : 1);
            model.end(ends.model, step.what() == Do.END ? "good" : "failed");
            boolean unused = step.what() == Do.END
                    ? ends.code.complete("good")
                    : ends.code.completeExceptionally(new IllegalStateException("bad"));
        }

        private void cancel(int which) {
            List<Open> unanswered = calls.stream()
                    .filter(each -> each.call != null && !each.call.isDone())
                    .toList();
            if (!unanswered.isEmpty()) {
                Open leaves = unanswered.get(which % unanswered.size());
                tally.add("bulkhead: left the line", leaves.model.fate.equals("waits") ? 1 : 0);
                model.giveUp(leaves.model, "cancelled");
                if (leaves.call != null) {
                    leaves.call.cancel(true);
                }
            }
        }

        private void compare() {
            for (Open each : calls) {
                String fate = each.fate();
                Divergence.unlessSame("a call", each.model.fate, fate);
                if (each.waited && !fate.equals("waits")) {
                    each.waited = false;
                    tally.add("bulkhead: let in after a wait", fate.equals("runs") ? 1 : 0);
                    tally.add("bulkhead: refused after a wait", fate.startsWith("refused") ? 1 : 0);
                }
                if (fate.equals("timed out")) {
                    tally.count("bulkhead: timed out while " + (each.begun ? "running" : "waiting"));
                }
            }
            calls.removeIf(each -> each.call != null && each.call.isDone() && !model.running.contains(each.model));
            Divergence.unlessSame("events", model.events, events);
            Divergence.unlessSame("in use", model.running.size(), bulkhead.inUse());
            Divergence.unlessSame("queued", model.line.size(), bulkhead.queued());
            Divergence.unlessSame("available", model.available(), bulkhead.available());
        }

        @Override
        public void end() {
            calls.forEach(each -> each.code.complete("good"));
            List.copyOf(calls).forEach(each -> {
                if (each.call != null) {
                    each.call.cancel(true);
                }
                each.code.complete("good");
            });
            Divergence.unlessSame("permits in use at the end", 0, bulkhead.inUse());
            Divergence.unlessSame("timers left", 0, time.pendingTimers());
            Divergence.unlessSame("what timers threw", List.of(), time.timerFailures());
        }
    }
}
