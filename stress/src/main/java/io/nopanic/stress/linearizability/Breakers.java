package io.nopanic.stress.linearizability;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.spi.Entry;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/**
 * A breaker that opens at two failures in a row, or on evidence, and closes after two good probes, against a few counters. It begins half-open; time stands still, so once
 * it has opened again only a reset helps. Each thread makes one call at a time.
 */
public final class Breakers {

    private static final int FAILURES_TO_OPEN = 2;
    private static final int PROBES = 2;

    private Breakers() {}

    /** The breaker, opening at failures in a row. */
    public static class Subject {

        private static final long OPEN_NANOS = 1_000_000_000L;

        private final HandTime hand = new HandTime();
        private final CircuitBreaker breaker;
        private final Slots<Long> calls = new Slots<>();

        /** Opens the breaker, and lets the time pass until it probes. */
        public Subject() {
            this(CircuitBreaker.builder().consecutiveFailures(FAILURES_TO_OPEN));
        }

        /** The same with another trip rule, which opens at two failures in a row, too. */
        Subject(CircuitBreakerBuilder rule) {
            breaker = rule.name("breaker")
                    .openFor(Duration.ofNanos(OPEN_NANOS))
                    .probes(PROBES)
                    .time(hand.time)
                    .build();
            for (int call = 0; call < FAILURES_TO_OPEN; call++) {
                settle(breaker.tryAcquire(HandTime.START_NANOS), HandTime.FAILURE);
            }
            hand.moveTo(OPEN_NANOS);
        }

        /** A call asks to be let in. */
        @Operation
        public String enter(@Param(gen = ThreadIdGen.class) int thread) {
            if (calls.get(thread) != null) {
                return "busy";
            }
            if (!(breaker.enter(HandTime.request(OPEN_NANOS, () -> {})) instanceof Entry.Admitted admitted)) {
                return "refused";
            }
            calls.set(thread, admitted.permit());
            return "in";
        }

        /** A call succeeds. */
        @Operation
        public boolean succeed(@Param(gen = ThreadIdGen.class) int thread) {
            return end(thread, null);
        }

        /** A call fails. */
        @Operation
        public boolean fail(@Param(gen = ThreadIdGen.class) int thread) {
            return end(thread, HandTime.FAILURE);
        }

        private boolean end(int thread, @Nullable Throwable error) {
            Long permit = calls.get(thread);
            if (permit == null) {
                return false;
            }
            calls.set(thread, null);
            settle(permit, error);
            return true;
        }

        private void settle(long permit, @Nullable Throwable error) {
            breaker.settle(permit, HandTime.START_NANOS, hand.time.nanos(), "result", error);
        }

        /** Somebody resets the breaker. */
        @Operation
        public void reset() {
            breaker.reset();
        }

        /** Its state. */
        @Operation
        public String state() {
            return breaker.state().toString();
        }
    }

    /** The breaker, opening when failures, at two successes each, outweigh successes by four. */
    public static final class OnEvidence extends Subject {

        /** See {@link Subject}. */
        public OnEvidence() {
            super(CircuitBreaker.builder()
                    .failureCost(EvidenceSpecification.COST)
                    .evidenceThreshold(EvidenceSpecification.ENOUGH));
        }
    }

    /** What it should do. */
    public static class Specification {

        private String state = "HALF_OPEN";
        private int period;
        private int failures;
        private int probesOut;
        private int probesSucceeded;
        private final Slots<Integer> calls = new Slots<>();

        /** See {@link Subject}. */
        public String enter(int thread) {
            if (calls.get(thread) != null) {
                return "busy";
            }
            if (state.equals("HALF_OPEN") && probesOut + probesSucceeded < PROBES) {
                probesOut++;
            } else if (!state.equals("CLOSED")) {
                return "refused";
            }
            calls.set(thread, period);
            return "in";
        }

        /** See {@link Subject}. */
        public boolean succeed(int thread) {
            return end(thread, false);
        }

        /** See {@link Subject}. */
        public boolean fail(int thread) {
            return end(thread, true);
        }

        private boolean end(int thread, boolean failed) {
            Integer call = calls.get(thread);
            if (call == null) {
                return false;
            }
            calls.set(thread, null);
            if (call == period) {
                if (state.equals("HALF_OPEN")) {
                    probeEnds(failed);
                } else {
                    failures = after(failures, failed);
                    if (isEnough(failures)) {
                        begin("OPEN");
                    }
                }
            }
            return true;
        }

        /** What is remembered of failures, when one more call has ended. */
        int after(int before, boolean failed) {
            return failed ? before + 1 : 0;
        }

        boolean isEnough(int remembered) {
            return remembered == FAILURES_TO_OPEN;
        }

        private void probeEnds(boolean failed) {
            probesOut--;
            if (failed) {
                begin("OPEN");
            } else if (++probesSucceeded == PROBES) {
                begin("CLOSED");
            }
        }

        private void begin(String next) {
            state = next;
            period++;
            failures = 0;
        }

        /** See {@link Subject}. */
        public void reset() {
            begin("CLOSED");
        }

        /** See {@link Subject}. */
        public String state() {
            return state;
        }
    }

    /** What it should do on evidence. */
    public static final class EvidenceSpecification extends Specification {

        static final int COST = 2;
        static final int ENOUGH = 4;

        @Override
        int after(int before, boolean failed) {
            return failed ? before + COST : Math.max(0, before - 1);
        }

        @Override
        boolean isEnough(int remembered) {
            return remembered >= ENOUGH;
        }
    }
}
