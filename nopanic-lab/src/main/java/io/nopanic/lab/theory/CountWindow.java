package io.nopanic.lab.theory;

import io.nopanic.spi.Require;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Opens when at least {@code k} of the last {@code n} calls have failed; the window is full. Failures are independent and have the probability {@code p};
 * {@code q = 1 - p}.
 *
 * @param calls {@code n}, at least 1
 * @param failures {@code k}, from 1 to {@code n}
 */
public record CountWindow(int calls, int failures) {

    /** Checks the numbers. */
    public CountWindow {
        Require.between("calls", calls, 1, 10_000_000);
        Require.between("failures", failures, 1, calls);
    }

    /** A window that opens the breaker when at least this share of its calls has failed. */
    public static CountWindow ofRate(int calls, double rate) {
        return new CountWindow(calls, Math.max(1, Chance.leastFailures(calls, Require.share("rate", rate))));
    }

    /** The share of failures that opens the breaker, {@code k / n}. */
    public double rate() {
        return (double) failures / calls;
    }

    /**
     * How likely each call is to begin a false trip, {@code (k/n - p) C(n,k) p^k q^(n-k)}. The flow from {@code k - 1} to {@code k} failures,
     * {@code p q C(n-1,k-1) p^(k-1) q^(n-k)}, times the chance {@code 1 - p (n-k) / (q k)} that it is the first of its cluster; the product is this.
     *
     * <p>Bound: within 1.1 % of the exact chain for {@code k/n >= 3 p}; 7 % off for {@code n = 10, k = 5, p = 0.2}; the error grows as {@code p} nears
     * {@code k/n}.
     *
     * @param failureRate {@code p}, from 0, less than {@link #rate}
     */
    public double hazard(double failureRate) {
        return 1 / meanCalls(failureRate);
    }

    /**
     * Mean calls between false trips, one divided by the {@link #hazard}; computed from its logarithm, so that it is finite up to 1e300.
     *
     * @param failureRate {@code p}, from 0, less than {@link #rate}; infinite for 0
     */
    public double meanCalls(double failureRate) {
        double p = Chance.checked("failureRate", failureRate);
        if (p >= rate()) {
            throw Require.refused("failureRate", p, "less than the rate that opens, " + rate());
        }
        return Math.exp(-BinomialDistribution.of(calls, p).logProbability(failures)) / (rate() - p);
    }

    /**
     * Calls from a change of the failure rate until the breaker opens if everything went by the mean, {@code (k/n - p0) n / (p1 - p0)}; at most {@code n}.
     *
     * <p>Bound: 1 % for {@code n = 100} and {@code p1} of at least 0.6; when {@code p1} is close to {@code k/n} chance decides, and the mean is
     * longer.
     *
     * @param before {@code p0}, from 0, less than {@link #rate}
     * @param after {@code p1}, from {@link #rate} to 1
     */
    public double fluidDelay(double before, double after) {
        return Fluid.shareOfWindow(rate(), before, after) * calls;
    }
}
