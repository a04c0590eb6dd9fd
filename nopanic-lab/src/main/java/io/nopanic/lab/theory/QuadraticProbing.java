package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * A schedule that probes after a number of refused calls: when {@code R} have been refused since the breaker opened, {@code kappa sqrt(max(1, R))} more,
 * rounded up, are refused until the next probe. The length of the outage need not be known.
 *
 * @param kappa more than 0
 */
public record QuadraticProbing(double kappa) {

    /** Checks the number. */
    public QuadraticProbing {
        Chance.positive("kappa", kappa);
    }

    /**
     * The best {@code kappa} if a failed probe is as bad as so many calls refused for nothing, {@code 2 sqrt(c)}: it minimises
     * {@code c * failedProbes + wastedRefusals}, whatever the length of the outage.
     *
     * @param failureCost {@code c}, more than 0
     */
    public static QuadraticProbing forFailureCost(double failureCost) {
        return new QuadraticProbing(2 * Math.sqrt(Chance.positive("failureCost", failureCost)));
    }

    /** After so many refused calls, how many there are when the next probe goes out. */
    public long next(long refused) {
        Require.between("refused", refused, 0, Long.MAX_VALUE / 4);
        return (long) Math.ceil(refused + kappa * Math.sqrt((double) Math.max(1, refused)));
    }

    /**
     * After how many refused calls in all a probe goes out. Exact, by counting; near {@code (kappa j / 2)^2}.
     *
     * @param probe {@code j}: 1 for the first, at most 1,000,000
     */
    public long refusedBeforeProbe(int probe) {
        Require.between("probe", probe, 1, 1_000_000);
        long refused = 0;
        for (int sent = 0; sent < probe; sent++) {
            refused = next(refused);
        }
        return refused;
    }

    /**
     * How many probes fail in an outage in which so many calls are refused, {@code 2 sqrt(R) / kappa}. Bound: at most 2 more than there are, plus 10 % for
     * {@code kappa} up to 4, because each gap is rounded up and a gap grows only with the next.
     *
     * @param refused {@code R}, 0 or more
     */
    public double failedProbes(double refused) {
        return 2 * Math.sqrt(Require.between("refused", refused, 0, Double.MAX_VALUE)) / kappa;
    }

    /**
     * How many calls are refused for nothing after an outage in which {@code R} were refused: on average half a gap, {@code kappa sqrt(R) / 2}. First
     * order; assumes that the outage ends anywhere in a gap.
     *
     * @param refused {@code R}, 0 or more
     */
    public double wastedRefusals(double refused) {
        return kappa * Math.sqrt(Require.between("refused", refused, 0, Double.MAX_VALUE)) / 2;
    }
}
