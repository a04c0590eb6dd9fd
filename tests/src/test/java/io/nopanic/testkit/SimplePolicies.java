package io.nopanic.testkit;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Repetition;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.time.Duration;

/** The least that a policy of a shape can be, so that the testkit is tested without those of the core. */
final class SimplePolicies {

    private SimplePolicies() {}

    static Deadline timeout(Time time, Duration limit) {
        return new SimpleDeadline(new Builder(time), limit);
    }

    static Repetition retry(Time time, int attempts, Duration delay) {
        return new SimpleRetry(new Builder(time), attempts, delay);
    }

    private static final class Builder extends PolicyBuilder<Builder, Object> {
        Builder(Time time) {
            super("simple policy");
            time(time);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        public Object build() {
            throw new UnsupportedOperationException();
        }
    }

    private static final class SimpleDeadline extends PolicyBase implements Deadline {
        private final long limitNanos;

        SimpleDeadline(Builder builder, Duration limit) {
            super(builder);
            limitNanos = Nanos.of(limit);
        }

        @Override
        public String describe() {
            return "a time limit";
        }

        @Override
        public long timeoutNanos() {
            return limitNanos;
        }
    }

    private static final class SimpleRetry extends PolicyBase implements Repetition {
        private final int attempts;
        private final long delayNanos;

        SimpleRetry(Builder builder, int attempts, Duration delay) {
            super(builder);
            this.attempts = attempts;
            delayNanos = Nanos.of(delay);
        }

        @Override
        public String describe() {
            return "a retry";
        }

        @Override
        public boolean accepts(Object result) {
            return true;
        }

        @Override
        public long delayNanos(Attempt attempt) {
            boolean goesAgain = attempt.number() < attempts && !Failures.isCancellation(attempt.error());
            return goesAgain ? delayNanos * attempt.number() : DONE;
        }
    }
}
