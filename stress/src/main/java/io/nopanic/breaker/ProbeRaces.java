package io.nopanic.breaker;

import static io.nopanic.breaker.Subject.SECOND_NANOS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.events.Counts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LLLL_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Probes of a half-open breaker: leases that are given, settled and expire. */
public final class ProbeRaces {

    private ProbeRaces() {}

    private static Subject tripped(int probes, double probeFailureRate) {
        Subject subject = new Subject(CircuitBreaker.builder()
                .consecutiveFailures(1)
                .openFor(Duration.ofSeconds(1))
                .probes(probes)
                .probeFailureRate(probeFailureRate)
                .probeTimeout(Duration.ofSeconds(1)));
        subject.trip();
        subject.hand.moveTo(SECOND_NANOS);
        return subject;
    }

    /** Two calls come when the open time is over, and one probe is allowed. Result: who was let in, and the state. */
    @JCStressTest
    @Description("Two calls for one probe: is exactly one let in?")
    @Outcome(id = "true, false, HALF_OPEN", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, HALF_OPEN", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class ProbeAgainstProbe {

        private final Subject subject = tripped(1, 1);

        @Actor
        public void one(ZZL_Result r) {
            r.r1 = subject.enter(SECOND_NANOS) >= 0;
        }

        @Actor
        public void other(ZZL_Result r) {
            r.r2 = subject.enter(SECOND_NANOS) >= 0;
        }

        @Arbiter
        public void end(ZZL_Result r) {
            r.r3 = subject.state();
        }
    }

    /** The only probe succeeds just in time while a call comes that finds its time over. Result: the state, and the late outcomes. */
    @JCStressTest
    @Description("The only probe succeeds as its lease runs out: do both sides agree on what it was?")
    @Outcome(id = "CLOSED, 0", expect = ACCEPTABLE, desc = "it came back in time, and closed the breaker")
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "it expired, which opened the breaker; its success is late")
    @State
    public static class SettleAgainstExpiry {

        private final Subject subject = tripped(1, 1);
        private final long probe = subject.enter(SECOND_NANOS);

        @Actor
        public void settle() {
            subject.succeed(probe, 2 * SECOND_NANOS - 1);
        }

        @Actor
        public void expire() {
            subject.enter(2 * SECOND_NANOS);
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = subject.state();
            r.r2 = subject.late();
        }
    }

    /**
     * The first of three probes succeeds just in time while a call comes that finds its time over, and takes another place. Two failures open. Result: the state,
     * probes judged, failures among them, late outcomes.
     */
    @JCStressTest
    @Description("One of several probes succeeds as its lease runs out: is it judged once?")
    @Outcome(id = "HALF_OPEN, 1, 0, 0", expect = ACCEPTABLE, desc = "it came back in time")
    @Outcome(id = "HALF_OPEN, 1, 1, 1", expect = ACCEPTABLE, desc = "it expired and has failed; its success is late")
    @State
    public static class LateProbeAgainstTheNext {

        private final Subject subject = tripped(3, 0.5);
        private final long probe = subject.enter(SECOND_NANOS);

        @Actor
        public void settle() {
            subject.succeed(probe, 2 * SECOND_NANOS - 1);
        }

        @Actor
        public void expire() {
            subject.enter(2 * SECOND_NANOS);
        }

        @Arbiter
        public void end(LLLL_Result r) {
            Counts counts = subject.breaker.snapshot().counts();
            r.r1 = subject.state();
            r.r2 = (int) counts.calls();
            r.r3 = (int) counts.failures();
            r.r4 = subject.late();
        }
    }

    /** Three refused calls are enough for a probe, and two have been refused; two more come. Result: how many were let in, then what a third finds. */
    @JCStressTest
    @Description("Two calls come as the last one has to be refused before a probe: is there one probe at most?")
    @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "one was refused, the other is the probe; a third is refused")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "both looked before either was counted; a third is the probe")
    @State
    public static class LastRefusalAgainstTheProbe {

        private final Subject subject = new Subject(CircuitBreaker.builder()
                .consecutiveFailures(1)
                .quadraticProbing(3, Duration.ZERO, Duration.ofSeconds(30)));
        private final AtomicInteger in = new AtomicInteger();

        public LastRefusalAgainstTheProbe() {
            subject.trip();
            subject.enter(0);
            subject.enter(0);
        }

        private void call() {
            if (subject.enter(0) >= 0) {
                in.incrementAndGet();
            }
        }

        @Actor
        public void one() {
            call();
        }

        @Actor
        public void other() {
            call();
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = in.get();
            r.r2 = subject.enter(0) >= 0 ? 1 : -1;
        }
    }

    /** Three probes are to succeed, and one goes first. It succeeds while another call comes. Result: whether that was let in, and whether a third is. */
    @JCStressTest
    @Description("The first probe succeeds as another call comes: does any go with the first?")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "it came before; the next one is let in")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it came after, and goes together with the next one")
    @State
    public static class FirstProbeAgainstTheNext {

        private final Subject subject = new Subject(CircuitBreaker.builder()
                .consecutiveFailures(1)
                .openFor(Duration.ofSeconds(1))
                .closeAfter(3));
        private final long first;

        public FirstProbeAgainstTheNext() {
            subject.trip();
            subject.hand.moveTo(SECOND_NANOS);
            first = subject.enter(SECOND_NANOS);
        }

        @Actor
        public void succeed() {
            subject.succeed(first, SECOND_NANOS);
        }

        @Actor
        public void next(II_Result r) {
            r.r1 = subject.enter(SECOND_NANOS) >= 0 ? 1 : 0;
        }

        @Arbiter
        public void end(II_Result r) {
            r.r2 = subject.enter(SECOND_NANOS) >= 0 ? 1 : 0;
        }
    }
}
