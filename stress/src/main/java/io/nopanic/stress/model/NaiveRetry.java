package io.nopanic.stress.model;

import java.util.ArrayList;
import java.util.List;

/** A retry as a loop over a plan that knows the future. */
final class NaiveRetry {

    final List<String> events = new ArrayList<>();

    /** Two things happen at the same moment: what then comes first is not said anywhere. */
    boolean tied;

    long nowNanos;
    private final RetrySettings settings;
    private final Budget budget;

    NaiveRetry(RetrySettings settings, long nowNanos) {
        this.settings = settings;
        this.nowNanos = nowNanos;
        budget = new Budget(settings.spending(), nowNanos);
    }

    /** Makes a call from now on to its end, and returns how it ended. */
    String call(Plan plan) {
        long startNanos = nowNanos;
        long givenUpNanos = plan.givenUpAfterNanos() == 0 ? Long.MAX_VALUE : plan.givenUpAfterNanos();
        long deadline = settings.limits().deadlineNanos();
        long deadlineNanos = deadline == 0 ? Long.MAX_VALUE : deadline;
        String cut = givenUpNanos < deadlineNanos ? "cancelled" : "timed out";
        long cutNanos = Math.min(givenUpNanos, deadlineNanos);
        long delayNanos = 0;
        for (int number = 1; ; number++) {
            Plan.Attempt attempt = plan.attempt(number);
            long endNanos = nowNanos - startNanos + attempt.takesNanos();
            tied |= endNanos == cutNanos;
            if (endNanos > cutNanos) {
                nowNanos = startNanos + cutNanos;
                events.add("gave up after " + number + ": CANCELLED");
                return cut;
            }
            nowNanos = startNanos + endNanos;
            if (attempt.end() == Plan.End.GOOD) {
                return "good";
            }
            String outcome = outcome(attempt, number);
            long leftNanos = Long.MAX_VALUE;
            if (deadline > 0) {
                leftNanos = deadline - endNanos;
            }
            if (settings.limits().maxDurationNanos() > 0) {
                leftNanos = Math.min(leftNanos, settings.limits().maxDurationNanos() - endNanos);
            }
            delayNanos = settings.delayNanos(number, delayNanos, attempt.hintNanos());
            String reason = reasonToStop(attempt, number, delayNanos, leftNanos);
            if (!reason.isEmpty()) {
                events.add("gave up after " + number + ": " + reason);
                return outcome;
            }
            long spentNanos = nowNanos;
            events.add("scheduled after " + number + ": " + delayNanos);
            tied |= endNanos + delayNanos == cutNanos;
            if (endNanos + delayNanos > cutNanos) {
                nowNanos = startNanos + cutNanos;
                budget.giveBack(spentNanos);
                events.add("gave up after " + number + ": CANCELLED");
                return cut;
            }
            nowNanos = startNanos + endNanos + delayNanos;
        }
    }

    private String reasonToStop(Plan.Attempt attempt, int number, long delayNanos, long leftNanos) {
        if (attempt.end() == Plan.End.ERROR) {
            return "NOT_RETRYABLE";
        }
        if (number >= settings.limits().attempts() || delayNanos < 0) {
            return "ATTEMPTS_EXHAUSTED";
        }
        if (delayNanos >= leftNanos) {
            return "TIME_EXHAUSTED";
        }
        return budget.trySpend(nowNanos) ? "" : "BUDGET_EXHAUSTED";
    }

    static String outcome(Plan.Attempt attempt, int number) {
        return switch (attempt.end()) {
            case GOOD -> "good";
            case BAD_RESULT -> "bad";
            default -> attempt.end() + " in attempt " + number;
        };
    }

    long available(long atNanos) {
        return budget.available(atNanos);
    }

    /** A list of when extra calls were granted. They count for the rest of their tenth of a window, and ten more. */
    private static final class Budget {

        private final RetrySettings.Spending spending;
        private final long beginNanos;
        private final List<Long> grants = new ArrayList<>();

        Budget(RetrySettings.Spending spending, long beginNanos) {
            this.spending = spending;
            this.beginNanos = beginNanos;
        }

        private long tenth(long nanos) {
            return (nanos - beginNanos) / (spending.windowNanos() / 10);
        }

        private long left(long nowNanos) {
            long reserve = (long) (spending.perSecond() * (spending.windowNanos() / 1e9) + 1e-6);
            return reserve
                    - grants.stream()
                            .filter(grant -> tenth(nowNanos) - tenth(grant) <= 10)
                            .count();
        }

        boolean trySpend(long nowNanos) {
            if (spending.perSecond() < 0) {
                return true;
            }
            boolean granted = left(nowNanos) >= 1;
            if (granted) {
                grants.add(nowNanos);
            }
            return granted;
        }

        void giveBack(long spentNanos) {
            grants.remove(spentNanos);
        }

        long available(long nowNanos) {
            return Math.max(0, left(nowNanos));
        }
    }
}
