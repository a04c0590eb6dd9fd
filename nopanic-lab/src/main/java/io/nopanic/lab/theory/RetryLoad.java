package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/** What retries do to the load of a server. */
public final class RetryLoad {

    private RetryLoad() {}

    /**
     * Mean attempts per call, {@code (1 - p^N) / (1 - p)}, and {@code N} for {@code p = 1}. Exact for attempts that fail independently. Layers of
     * retries multiply.
     *
     * @param attempts {@code N}, at least 1
     * @param failureRate {@code p}, of an attempt, from 0 to 1
     */
    public static double attemptsPerCall(int attempts, double failureRate) {
        Require.between("attempts", attempts, 1, 1_000_000);
        double p = Chance.checked("failureRate", failureRate);
        double sum = 0;
        double reached = 1;
        for (int attempt = 0; attempt < attempts && reached > 0; attempt++) {
            sum += reached;
            reached *= p;
        }
        return sum;
    }

    /**
     * Whether a server that serves in order, and works on requests whose callers have given up, stays down after the trigger has gone: {@code N * utilisation > 1}.
     * Without a retry budget. Holds for outages long enough to fill its queue beyond the callers' timeout.
     *
     * @param attempts {@code N}, at least 1
     * @param utilisation calls per second divided by capacity, before retries; 0 or more
     */
    public static boolean staysDown(int attempts, double utilisation) {
        Require.between("attempts", attempts, 1, 1_000_000);
        return attempts * Require.between("utilisation", utilisation, 0, 1e6) > 1;
    }

    /**
     * The same with a retry budget: {@code (1 + ratio) * utilisation > 1}. Close to 1 it also depends on how long the backlog takes.
     *
     * @param budgetRatio retries per call that are allowed, 0 or more
     */
    public static boolean staysDownWithBudget(double budgetRatio, double utilisation) {
        Require.between("budgetRatio", budgetRatio, 0, 1e6);
        return (1 + budgetRatio) * Require.between("utilisation", utilisation, 0, 1e6) > 1;
    }

    /**
     * Seconds until the backlog is worked off, {@code backlog / (1 - (1 + ratio) utilisation)}, the backlog as seconds of work at full capacity; infinite if it never is.
     *
     * @param backlogSeconds 0 or more
     */
    public static double recoverySeconds(double backlogSeconds, double budgetRatio, double utilisation) {
        Require.between("backlogSeconds", backlogSeconds, 0, 1e12);
        return staysDownWithBudget(budgetRatio, utilisation) || (1 + budgetRatio) * utilisation == 1
                ? Double.POSITIVE_INFINITY
                : backlogSeconds / (1 - (1 + budgetRatio) * utilisation);
    }
}
