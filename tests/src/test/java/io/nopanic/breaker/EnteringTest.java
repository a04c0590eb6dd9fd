package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Counts;
import org.junit.jupiter.api.Test;

/** A call that is not let in after all, for whatever reason, is not in flight. */
class EnteringTest {

    private static final long SLOW_NANOS = 3_200_000;
    private static final long LATER_NANOS = 2 * SLOW_NANOS;

    private static final OutOfMemoryError NO_MEMORY = new OutOfMemoryError("Java heap space");

    /** Says that it is enough, or throws when it is asked, or told. */
    private static final class StubWindow implements Window {

        private boolean throwsWhenAsked;
        private boolean throwsWhenTold;

        @Override
        public boolean record(Ending ending, long nowNanos) {
            if (throwsWhenTold) {
                throw NO_MEMORY;
            }
            return false;
        }

        @Override
        public boolean reaches(Overdue calls, long nowNanos) {
            if (throwsWhenAsked) {
                throw NO_MEMORY;
            }
            return true;
        }

        @Override
        public void advance(long nowNanos) {}

        @Override
        public Counts counts(Overdue calls, long nowNanos) {
            return Counts.NONE;
        }
    }

    private final StubWindow window = new StubWindow();
    private final StubWindow otherWindow = new StubWindow();

    private static TripRule rule(StubWindow window) {
        Thresholds thresholds = new Thresholds(1, 0.5, 0.5, Thresholds.OFF);
        return new WindowRule(nowNanos -> window, "test", true, thresholds, SlowLimit.fixed(SLOW_NANOS));
    }

    @Test
    void aCallIsNotInFlightThatThrewWhenItLooked() {
        TripRule.Memory memory = rule(window).begin(0);
        memory.enter(0, 0);
        window.throwsWhenAsked = true;
        assertThatThrownBy(() -> memory.enter(0, LATER_NANOS)).isSameAs(NO_MEMORY);
        assertThat(memory.inFlight()).isOne();
    }

    @Test
    void ofTwoRulesNeitherKeepsACallForWhichTheOtherThrew() {
        TripRule.Memory first = rule(window).begin(0);
        TripRule.Memory second = rule(otherWindow).begin(0);
        TripRule.Memory both = new EitherRule(fixed(first), fixed(second)).begin(0);
        both.enter(0, 0);
        both.enter(0, 0);
        otherWindow.throwsWhenAsked = true;
        assertThatThrownBy(() -> both.enter(0, LATER_NANOS)).isSameAs(NO_MEMORY);
        assertThat(first.inFlight()).isEqualTo(2);
        assertThat(second.inFlight()).isEqualTo(2);
        window.throwsWhenTold = true;
        assertThatThrownBy(() -> both.record(Ending.success(false), 0, 0, LATER_NANOS))
                .isSameAs(NO_MEMORY);
        assertThat(first.inFlight()).isOne();
        assertThat(second.inFlight()).isOne();
    }

    private static TripRule fixed(TripRule.Memory memory) {
        return new TripRule() {
            @Override
            public Memory begin(long nowNanos) {
                return memory;
            }

            @Override
            public String describe() {
                return "test";
            }

            @Override
            public int hangingCallsToOpen() {
                return 1;
            }

            @Override
            public Timing timing() {
                return Timing.OF_CALLS;
            }
        };
    }

    @Test
    void theCallThatFindsThatTheBreakerHasToOpenIsNotInFlight() {
        TripRule.Memory memory = rule(window).begin(0);
        memory.enter(0, 0);
        Closed closed = new Closed(0, 0, memory, false, null);
        assertThat(closed.enter(0, LATER_NANOS)).isTrue();
        assertThat(memory.inFlight()).isOne();
        Closed forced = new Closed(0, 0, memory, true, null);
        assertThat(forced.enter(0, 2 * LATER_NANOS)).isFalse();
        assertThat(memory.inFlight()).isEqualTo(2);
    }
}
