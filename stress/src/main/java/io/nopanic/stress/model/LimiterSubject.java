package io.nopanic.stress.model;

import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimitedException;
import io.nopanic.ratelimit.RateLimiter;
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

/**
 * The rate limiter beside {@link NaiveLimiter}: exact to the nanosecond, in whole numbers for the bucket and by a list of times for the strict
 * mode, with calls that wait, leave and are refused. In the strict mode calls that wait weigh one permit each: with others what a call is told of its wait
 * is only the least that it can be. Besides, nothing that passes exceeds the burst and the rate, whatever the model says.
 */
final class LimiterSubject implements Subject {

    private static final int MAX_WEIGHT = 4;

    @Override
    public String name() {
        return "limiter";
    }

    @Override
    public List<String> expected() {
        return List.of(
                "limiter: let in at once",
                "limiter: let in after a wait",
                "limiter: refused",
                "limiter: left the line",
                "limiter: rate changed while calls wait",
                "limiter: refused because the rate changed",
                "limiter: leased permits taken from another stripe",
                "limiter: leased permits poured back",
                "limiter: as much let in as may be");
    }

    @Override
    public Setup setup(RandomGenerator random) {
        return new LimiterSetup(LimiterRules.draw(random));
    }

    private enum Do {
        ENTER,
        ENTER_WITH_DEADLINE,
        TAKE_BY_HAND,
        CANCEL,
        PASS_TIME,
        CHANGE_RATE
    }

    private record LimiterSetup(LimiterRules rules) implements Setup {

        @Override
        public Step draw(RandomGenerator random) {
            int dice = random.nextInt(100);
            Do what = dice < 50
                    ? Do.ENTER
                    : dice < 60
                            ? Do.ENTER_WITH_DEADLINE
                            : dice < 75
                                    ? Do.TAKE_BY_HAND
                                    : dice < 84 ? Do.CANCEL : dice < 97 ? Do.PASS_TIME : Do.CHANGE_RATE;
            long afterNanos = random.nextInt(3) == 0 ? rules.drawSpanNanos(random) : 0;
            return new Step(afterNanos, what, random.nextInt(8), random.nextInt(6));
        }

        @Override
        public Run begin(Tally tally) {
            return new LimiterRun(rules, tally);
        }
    }

    private static final class LimiterRun implements Run {

        private final LimiterRules rules;
        private final Tally tally;
        private final VirtualTime time = VirtualTime.create();
        private final RateLimiter limiter;
        private final List<Pipeline> byWeight = new ArrayList<>();
        private final List<Pipeline> byWeightAndDeadline = new ArrayList<>();
        private final Timeout timeout;
        private final NaiveMeter meter;
        private final NaiveLimiter model;

        /** What has passed since the rate changed last. */
        private final List<Passed> passed = new ArrayList<>();

        private LimiterRules.Pace pace;
        private final List<String> events = new ArrayList<>();
        private final List<Open> calls = new ArrayList<>();
        private int compared;

        private record Passed(long nanos, int permits) {}

        private static final class Open {
            final NaiveLimiter.Call model;
            final CompletableFuture<Object> call;
            String fate = "waits";

            Open(NaiveLimiter.Call model, CompletableFuture<Object> call) {
                this.model = model;
                this.call = call;
            }
        }

        LimiterRun(LimiterRules rules, Tally tally) {
            this.rules = rules;
            this.tally = tally;
            limiter = rules.builder().name("limiter").time(time.time()).build();
            limiter.events().subscribe(this::told);
            pace = rules.paces().get(0);
            timeout = Timeout.of(Duration.ofNanos(Math.max(1, pace.periodNanos() * 2 / 3)));
            int heaviest = Math.min(MAX_WEIGHT, rules.heaviest());
            for (int weight = 1; weight <= heaviest; weight++) {
                byWeight.add(Pipeline.of(limiter.weighted(weight)));
                byWeightAndDeadline.add(Pipeline.of(timeout, limiter.weighted(weight)));
            }
            meter = rules.meter(time.nanos());
            model = new NaiveLimiter(meter, rules.maxQueued());
        }

        private void told(Event event) {
            if (event instanceof Event.RateLimiterWaited e) {
                events.add("waits " + e.waitNanos());
            } else if (event instanceof Event.RateLimiterRefused e) {
                events.add("refused " + e.retryAfterNanos());
                tally.count("limiter: refused");
            }
        }

        @Override
        public void step(Step step) {
            if (model.tied) {
                tally.count("limiter: ended by a tie");
                return;
            }
            if (step.afterNanos() > 0) {
                time.advance(Duration.ofNanos(step.afterNanos()));
                model.passTo(time.nanos());
            }
            int weight = 1 + step.detail() % byWeight.size();
            switch ((Do) step.what()) {
                case ENTER -> enter(byWeight, weight, LimiterRules.UNLIMITED);
                case ENTER_WITH_DEADLINE -> enter(byWeightAndDeadline, weight, timeout.timeoutNanos());
                case TAKE_BY_HAND -> takeByHand(step.detail() + 1);
                case CANCEL -> cancel(step.which());
                case PASS_TIME -> {}
                case CHANGE_RATE ->
                    changeRate(rules.paces().get(step.which() % rules.paces().size()));
                default -> throw new IllegalStateException("no such step");
            }
            // With leases not after every step, because that deals them out anew.
            compare(!rules.leased() || step.detail() == 0);
        }

        private void takeByHand(int permits) {
            boolean taken = limiter.tryTake(permits);
            Divergence.unlessSame("tryTake", model.tryTake(permits), taken);
            if (taken) {
                pass(permits);
            }
        }

        /** In no span of time more passes than the burst and what is refilled. */
        private void pass(int permits) {
            if (rules.strict()) {
                return;
            }
            long nowNanos = time.nanos();
            passed.add(new Passed(nowNanos, permits));
            long all = 0;
            for (int last = passed.size() - 1; last >= 0; last--) {
                Passed since = passed.get(last);
                all += since.permits;
                long most = all - pace.burst();
                Divergence.unless(
                        most <= 0 || nowNanos - since.nanos >= pace.refillNanos(most),
                        all + " permits passed in " + (nowNanos - since.nanos) + " ns");
                if (most == 0 && nowNanos == since.nanos) {
                    tally.count("limiter: as much let in as may be");
                }
            }
        }

        private void enter(List<Pipeline> pipelines, int weight, long deadlineNanos) {
            long sinceNanos = time.nanos();
            NaiveLimiter.Call expected = model.enter(weight, rules.maxWaitNanos(), deadlineNanos);
            Open[] open = new Open[1];
            String[] letIn = new String[1];
            CompletableFuture<Object> call = pipelines.get(weight - 1).callAsync(() -> {
                letIn[0] = "let in after " + (time.nanos() - sinceNanos);
                pass(weight);
                if (open[0] != null) {
                    open[0].fate = letIn[0];
                }
                return CompletableFuture.completedFuture("good");
            });
            open[0] = new Open(expected, call);
            if (letIn[0] != null) {
                open[0].fate = letIn[0];
            }
            var unused = call.whenComplete((value, thrown) -> ended(open[0], thrown));
            tally.count(open[0].fate.equals("let in after 0") ? "limiter: let in at once" : "limiter: not at once");
            calls.add(open[0]);
        }

        private static void ended(Open open, @Nullable Throwable thrown) {
            if (thrown == null) {
                return;
            }
            Throwable failure = Failures.unwrap(thrown);
            if (failure instanceof RateLimitedException refused) {
                open.fate = "refused, retry after "
                        + refused.retryAfter().map(Duration::toNanos).orElse(-1L);
            } else if (Failures.isCancellation(failure)) {
                open.fate = "cancelled";
            } else {
                open.fate = failure.toString();
            }
        }

        private void cancel(int which) {
            List<Open> waiting =
                    calls.stream().filter(each -> !each.call.isDone()).toList();
            if (!waiting.isEmpty()) {
                Open leaves = waiting.get(which % waiting.size());
                model.cancel(leaves.model);
                leaves.call.cancel(true);
                tally.count("limiter: left the line");
            }
        }

        private void changeRate(LimiterRules.Pace next) {
            int before = model.line.size();
            passed.clear();
            pace = next;
            model.setRate(next);
            limiter.setRate(next.rate());
            if (before > 0) {
                tally.count("limiter: rate changed while calls wait");
                tally.add("limiter: refused because the rate changed", before - model.line.size());
            }
        }

        private void compare(boolean counts) {
            for (Open each : calls) {
                Divergence.unlessSame("a call of " + each.model.permits + " permits", each.model.fate, each.fate);
                if (each.call.isDone() && each.fate.startsWith("let in") && !each.fate.endsWith(" 0")) {
                    tally.count("limiter: let in after a wait");
                }
            }
            calls.removeIf(each -> each.call.isDone());
            Divergence.unlessSame("events", tail(model.events), tail(events));
            compared = events.size();
            Divergence.unlessSame("queued", model.line.size(), limiter.queued());
            if (counts) {
                Divergence.unlessSame("available", model.available(), (long) limiter.availablePermits());
            }
        }

        private List<String> tail(List<String> all) {
            return compared == 0 ? all : all.subList(Math.min(compared, all.size()), all.size());
        }

        @Override
        public void end() {
            if (meter instanceof NaiveLeases leases) {
                tally.add("limiter: leased permits taken from another stripe", leases.stolen);
                tally.add("limiter: leased permits poured back", leases.pouredBack);
            }
            List.copyOf(calls).forEach(each -> each.call.cancel(true));
            Divergence.unlessSame("timers left", 0, time.pendingTimers());
            Divergence.unlessSame("what timers threw", List.of(), time.timerFailures());
        }
    }
}
