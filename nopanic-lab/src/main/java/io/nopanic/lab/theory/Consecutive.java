package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * Opens after {@code k} failures in a row. Failures are independent and have the probability {@code p}; {@code q = 1 - p}.
 *
 * @param failures {@code k}, at least 1
 */
public record Consecutive(int failures) {

    /** Checks the number. */
    public Consecutive {
        Require.between("failures", failures, 1, Integer.MAX_VALUE);
    }

    /**
     * Mean calls until it opens, {@code (1 - p^k) / (q p^k)}, and {@code k} for {@code p = 1}. Exact. If {@code p^k} is much less than 1, the number of
     * calls has an exponential distribution.
     *
     * @param failureRate {@code p}, from 0 to 1; infinite for 0
     */
    public double meanCalls(double failureRate) {
        double p = Chance.checked("failureRate", failureRate);
        if (p == 1) {
            return failures;
        }
        double logRun = failures * Math.log(p);
        return -Math.expm1(logRun) / (1 - p) / Math.exp(logRun);
    }

    /**
     * Variance of the number of calls until it opens, {@code 1 / (q p^k)^2 - (2k + 1) / (q p^k) - p / q^2}, and 0 for {@code p = 1}. Exact; the
     * differences cost up to {@code k} digits of precision as {@code p} nears 1.
     *
     * @param failureRate {@code p}, from 0 to 1; infinite for 0
     */
    public double varianceOfCalls(double failureRate) {
        double p = Chance.checked("failureRate", failureRate);
        double q = 1 - p;
        double rowEnds = q * Math.pow(p, failures);
        if (rowEnds == 0) {
            return p == 1 ? 0 : Double.POSITIVE_INFINITY;
        }
        return 1 / rowEnds * (1 / rowEnds - (2.0 * failures + 1)) - p / (q * q);
    }
}
