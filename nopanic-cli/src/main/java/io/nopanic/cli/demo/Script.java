package io.nopanic.cli.demo;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.events.Event;
import io.nopanic.fallback.Fallback;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What the demonstration does: the same thirty calls to the same outage, without a breaker and with one.
 *
 * <p><b>The beat.</b> The caller makes a call every {@link #BEAT}; after a call that took longer than that it goes on at once, and the beat
 * starts anew there. Failing calls take twice the beat. So when one opens the breaker, five calls follow within its open time, 0, 24, 48, 72 and 96 ms
 * after the failure, and are refused; the sixth is due with the end of the open time, {@link #OPEN_TIME}, and is the probe. It can only come
 * later than that, never earlier, because waiting never ends early. And a call that is made late does not move those after it. So the counts follow from
 * the policy, unless the machine holds the caller up for longer than {@link #SPARE_NANOS}.
 *
 * <p><b>The counts.</b> The dependency fails five calls: three open the breaker, and each of the other two is a probe that opens it again. Three
 * open periods refuse five calls each; the third probe and the rest, ten calls, are answered.
 *
 * <p>Runs on any {@link Time} and any {@link Dependency}.
 */
final class Script {

    static final int CALLS = 30;
    static final Duration BEAT = Duration.ofMillis(24);
    static final Duration OPEN_TIME = Duration.ofMillis(120);
    static final int CONSECUTIVE_FAILURES = 3;

    /** How late the last refused call of an open period may be and still fall into it. */
    static final long SPARE_NANOS = OPEN_TIME.minus(BEAT.multipliedBy(4)).toNanos();

    private final Time time;
    private final Dependency dependency;

    Script(Time time, Dependency dependency) {
        this.time = time;
        this.dependency = dependency;
    }

    /** One way to make a call. */
    @FunctionalInterface
    private interface Guard {
        Answer call(Callable<Answer> body) throws Exception;
    }

    /** The breaker of the demonstration. */
    CircuitBreaker breaker() {
        return CircuitBreaker.builder()
                .name("rates")
                .time(time)
                .consecutiveFailures(CONSECUTIVE_FAILURES)
                .openFor(OPEN_TIME)
                .probes(1)
                .build();
    }

    Run withoutBreaker() throws InterruptedException {
        Outage outage = new Outage();
        return new Run(call(outage, Callable::call, time.nanos()), List.of(), outage.reached());
    }

    Run withBreaker() throws InterruptedException {
        CircuitBreaker breaker = breaker();
        Fallback<Answer> cache = Fallback.<Answer>builder()
                .name("cache")
                .value(CircuitOpenException.class, Answer.KEPT)
                .build();
        Pipeline pipeline =
                Pipeline.builder().name("rates").with(cache).with(breaker).build();
        Outage outage = new Outage();
        List<Run.Change> changes = new ArrayList<>();
        long beginNanos = time.nanos();
        breaker.events()
                .subscribe(
                        Event.BreakerStateChanged.class,
                        change -> changes.add(new Run.Change(change.stamp().nanos() - beginNanos, change.to())));
        return new Run(call(outage, pipeline::call, beginNanos), changes, outage.reached());
    }

    private List<MadeCall> call(Outage outage, Guard guard, long beginNanos) throws InterruptedException {
        dependency.suffer(outage);
        List<MadeCall> calls = new ArrayList<>();
        long dueNanos = 0;
        for (int i = 0; i < CALLS; i++) {
            Clock.awaitNanos(time, beginNanos + dueNanos);
            MadeCall call = callOnce(guard, beginNanos, dueNanos);
            calls.add(call);
            dueNanos = call.durationNanos() > BEAT.toNanos() ? call.endNanos() : dueNanos + BEAT.toNanos();
        }
        return calls;
    }

    private MadeCall callOnce(Guard guard, long beginNanos, long dueNanos) throws InterruptedException {
        long startNanos = time.nanos() - beginNanos;
        MadeCall.Outcome outcome;
        try {
            Answer answer = guard.call(dependency::fetch);
            outcome = answer.cached() ? MadeCall.Outcome.SHORT_CIRCUITED : MadeCall.Outcome.OK;
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            outcome = MadeCall.Outcome.FAILED;
        }
        return new MadeCall(outcome, startNanos, time.nanos() - beginNanos, startNanos - dueNanos);
    }
}
