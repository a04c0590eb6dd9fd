package io.nopanic.stress.model;

import io.nopanic.outcome.HasRetryAfter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How a call's attempts go, and when its caller gives it up.
 *
 * @param attempts what becomes of each; the last is good, so that every call ends
 * @param givenUpAfterNanos 0 if never
 */
record Plan(List<Attempt> attempts, long givenUpAfterNanos) {

    enum End {
        GOOD,
        BAD_RESULT,
        FAILURE,
        HINT,
        ERROR
    }

    record Attempt(long takesNanos, End end, long hintNanos) {}

    /** A failure that may know when to come back. */
    static final class Failed extends Exception implements HasRetryAfter {

        private static final long serialVersionUID = 1L;
        private final Duration hint;

        Failed(String message, Duration hint) {
            super(message, null, false, false);
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return hint.isZero() ? Optional.empty() : Optional.of(hint);
        }
    }

    static Plan of(int number) {
        SplittableRandom random = new SplittableRandom(number);
        List<Attempt> attempts = new ArrayList<>();
        do {
            End end = End.values()[random.nextInt(random.nextInt(8) == 0 ? 5 : 4)];
            attempts.add(new Attempt(
                    random.nextBoolean() ? 0 : random.nextLong(300_000_000),
                    end,
                    end == End.HINT ? random.nextLong(400_000_000) : 0));
        } while (attempts.size() < 20 && attempts.get(attempts.size() - 1).end != End.GOOD);
        attempts.add(new Attempt(0, End.GOOD, 0));
        return new Plan(attempts, random.nextInt(4) == 0 ? random.nextLong(1, 1_500_000_000) : 0);
    }

    Attempt attempt(int number) {
        return attempts.get(Math.min(number, attempts.size()) - 1);
    }
}
