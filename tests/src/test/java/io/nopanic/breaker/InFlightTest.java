package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Nanos;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InFlightTest {

    private static final long SLOW_NANOS = 3_200_000;
    private static final long SLICE_NANOS = SLOW_NANOS / InFlight.SLICES_PER_SLOW_TIME;
    private static final long ROUND_THE_RING_NANOS = InFlight.CELLS * SLICE_NANOS;
    private static final int STRIPE = InFlight.STRIPES - 1;

    private final InFlight calls = new InFlight(SlowLimit.fixed(SLOW_NANOS), 0);

    private void enter(long times, long nowNanos) {
        for (long i = 0; i < times; i++) {
            calls.enter(STRIPE, nowNanos);
        }
    }

    private void leave(long times, long startNanos) {
        for (long i = 0; i < times; i++) {
            calls.leave(STRIPE, startNanos);
        }
    }

    @Test
    void aMillionCallsOfOneSliceAreOverdueWhenTheyAre() {
        long million = 1 << 20;
        enter(million, 0);
        assertThat(calls.overdue(SLOW_NANOS)).isZero();
        assertThat(calls.overdue(SLOW_NANOS + SLICE_NANOS)).isEqualTo(million);
        leave(million, 0);
        assertThat(calls.total()).isZero();
    }

    @Test
    void callsThatAreTooManyForAWordAreMissedAndNeverEarly() {
        enter(InFlight.MAX_COUNT + 2, 0);
        assertThat(calls.overdue(SLOW_NANOS)).isZero();
        assertThat(calls.total()).isEqualTo(InFlight.MAX_COUNT);
        leave(InFlight.MAX_COUNT, 0);
        assertThat(calls.total()).as("the two that were missed").isZero();
        leave(2, 0);
        enter(1, 0);
        assertThat(calls.total()).isOne();
    }

    @Test
    void callsThatWereMissedHideAsManyAncientOnesAndNoMore() {
        enter(InFlight.MAX_COUNT + 2, 0);
        enter(5, ROUND_THE_RING_NANOS);
        assertThat(calls.overdue(ROUND_THE_RING_NANOS)).isEqualTo(InFlight.MAX_COUNT);
        leave(InFlight.MAX_COUNT + 2, 0);
        assertThat(calls.overdue(ROUND_THE_RING_NANOS)).isZero();
        assertThat(calls.total()).isEqualTo(5);
    }

    /** Calls begin in any stripe and end in any order; each is overdue from the moment on at which its whole slice is, and then until it ends. */
    @ParameterizedTest
    @ValueSource(longs = {20, 1_000, 100_000})
    void aCallIsOverdueFromTheEndOfItsSliceOn(long mostNanosApart) {
        record Call(int stripe, long startNanos) {}
        Random random = new Random(mostNanosApart);
        Deque<Call> inFlight = new ArrayDeque<>();
        long nowNanos = 0;
        for (int step = 0; step < 20_000; step++) {
            nowNanos += random.nextLong(mostNanosApart);
            if (random.nextInt(100) < 52) {
                Call call = new Call(random.nextInt(InFlight.STRIPES), nowNanos);
                calls.enter(call.stripe, nowNanos);
                inFlight.add(call);
            } else if (!inFlight.isEmpty()) {
                Call call = random.nextBoolean() ? inFlight.removeFirst() : inFlight.removeLast();
                calls.leave(call.stripe, call.startNanos);
            }
            if (step % 16 == 0) {
                long overdueSlice = Math.floorDiv(nowNanos - SLOW_NANOS, SLICE_NANOS);
                assertThat(calls.overdue(nowNanos))
                        .isEqualTo(inFlight.stream()
                                .filter(call -> call.startNanos / SLICE_NANOS < overdueSlice)
                                .count());
                assertThat(calls.atMost(nowNanos)).isGreaterThanOrEqualTo(calls.overdue(nowNanos));
                assertThat(calls.total()).isEqualTo(inFlight.size());
            }
        }
    }

    @Test
    void noCallIsOverdueWhileNobodyKnowsWhatIsSlow() {
        SlowLimit unknown = SlowLimit.learned(SLOW_NANOS, new Random(1));
        InFlight ancient = new InFlight(unknown, 0);
        long roundNanos = 2 * InFlight.SLICES_PER_LONGEST_TIME * ancient.sliceNanos();
        ancient.enter(STRIPE, 0);
        ancient.enter(STRIPE, roundNanos);
        assertThat(ancient.overdue(2 * roundNanos)).isZero();
        assertThat(ancient.look(2 * roundNanos)).isZero();
        assertThat(ancient.total()).isEqualTo(2);
    }

    @Test
    void aClockThatWentBackCountsNoCallTwiceAndForgetsNone() {
        enter(1, 10 * ROUND_THE_RING_NANOS);
        enter(1, 0);
        enter(1, 5 * ROUND_THE_RING_NANOS);
        assertThat(calls.total()).isEqualTo(3);
        leave(1, 0);
        leave(1, 5 * ROUND_THE_RING_NANOS);
        assertThat(calls.total()).isOne();
        leave(1, 10 * ROUND_THE_RING_NANOS);
        assertThat(calls.total()).isZero();
        enter(1, 11 * ROUND_THE_RING_NANOS);
        assertThat(calls.overdue(11 * ROUND_THE_RING_NANOS + SLOW_NANOS)).isZero();
        assertThat(calls.overdue(11 * ROUND_THE_RING_NANOS + SLOW_NANOS + SLICE_NANOS))
                .isOne();
    }

    @Test
    void theFirstCallOfASliceIsOneInAllStripes() {
        assertThat(calls.enter(0, 0)).isTrue();
        assertThat(calls.enter(0, SLICE_NANOS - 1)).isFalse();
        assertThat(calls.enter(1, SLICE_NANOS - 1)).isFalse();
        assertThat(calls.enter(1, SLICE_NANOS)).isTrue();
        assertThat(calls.enter(0, SLICE_NANOS)).isFalse();
    }

    @Test
    void whatIsOverdueAtMostIsFoundOutAgainWhenMoreCallsAre() {
        enter(3, 0);
        enter(2, SLICE_NANOS);
        assertThat(calls.atMost(SLOW_NANOS)).isZero();
        assertThat(calls.atMost(SLOW_NANOS + SLICE_NANOS)).isEqualTo(3);
        leave(1, 0);
        assertThat(calls.atMost(SLOW_NANOS + SLICE_NANOS)).as("no fewer").isEqualTo(3);
        assertThat(calls.atMost(SLOW_NANOS + 2 * SLICE_NANOS)).isEqualTo(4);
    }

    @Test
    void howFarApartCallsBeganIsKnownAcrossStripes() {
        calls.enter(0, 3 * SLICE_NANOS);
        calls.enter(5, 7 * SLICE_NANOS);
        long first = calls.newestOverdueSlice(SLOW_NANOS);
        assertThat(calls.spread(first, first + 100)).isEqualTo(5);
        assertThat(calls.spread(first + 4, first + 100)).isOne();
    }

    @ParameterizedTest
    @ValueSource(longs = {Nanos.FOREVER, Nanos.FOREVER - 1, Nanos.FOREVER / 2, 1L << 60, 1L << 59})
    void aSlowCallTimeOfCenturiesIsNeverOver(long slowNanos) {
        InFlight patient = new InFlight(SlowLimit.fixed(slowNanos), 0);
        long yearNanos = 365L * 24 * 3600 * 1_000_000_000;
        for (int year = 0; year < 10; year++) {
            patient.enter(0, year * yearNanos);
            assertThat(patient.overdue(year * yearNanos)).isZero();
        }
        assertThat(patient.total()).isEqualTo(10);
        for (int year = 0; year < 10; year++) {
            patient.leave(0, year * yearNanos);
        }
        assertThat(patient.total()).isZero();
    }
}
