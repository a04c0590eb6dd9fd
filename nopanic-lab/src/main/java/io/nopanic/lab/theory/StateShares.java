package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * Which part of the time a breaker spends in each state, by renewal and reward: mean time in a state per cycle, divided by the mean length of a cycle. The
 * three add up to 1.
 */
public record StateShares(double closed, double open, double halfOpen) {

    /**
     * The shares that follow from mean times in a cycle; each 0 or more, not all 0.
     *
     * @param closed may be infinite, for one that never opens
     * @param open may be infinite, for one that, once it has opened, never closes
     */
    public static StateShares ofSeconds(double closed, double open, double halfOpen) {
        Require.between("halfOpen", halfOpen, 0, Double.MAX_VALUE);
        if (closed == Double.POSITIVE_INFINITY) {
            return new StateShares(1, 0, 0);
        }
        if (open == Double.POSITIVE_INFINITY) {
            return new StateShares(0, 1, 0);
        }
        Require.between("open", open, 0, Double.MAX_VALUE);
        double all = Require.between("closed", closed, 0, Double.MAX_VALUE) + open + halfOpen;
        return new StateShares(closed / all, open / all, halfOpen / all);
    }

    /**
     * A dependency that is up and down in turn, for times that are exponential.
     *
     * @param upSeconds {@code U}, the mean time up, more than 0
     * @param downSeconds {@code D}, the mean time down, more than 0
     * @param callsPerSecond {@code lambda}, of a Poisson process, more than 0
     */
    public record Regimes(double upSeconds, double downSeconds, double callsPerSecond) {

        /** Checks the numbers. */
        public Regimes {
            Chance.positive("upSeconds", upSeconds);
            Chance.positive("downSeconds", downSeconds);
            Chance.positive("callsPerSecond", callsPerSecond);
        }

        /** The chance that an outage lasts for so many calls: {@code pd = (lambda / (lambda + 1/D))^n}. */
        double lasts(int calls) {
            return Math.exp(-calls * Math.log1p(1 / (downSeconds * callsPerSecond)));
        }
    }

    /**
     * The shares of a breaker that opens at the {@code n}th failing call of an outage, never otherwise, has a fixed open time {@code tau} and closes when
     * one probe succeeds, while each call fails when the dependency is down and succeeds when it is up:
     * {@code E[closed] = (U + D (1 - pd)) / pd}, {@code E[open] = (tau + 1/lambda) / Ps} with the chance of a probe to succeed,
     * {@code Ps = a (1 - e^(-(1/U + 1/D) tau) lambda / (lambda + 1/U + 1/D))}, {@code a = U / (U + D)}. Waiting for the call that becomes the probe counts
     * as open.
     *
     * <p>Bound: 10 % of the open share.
     *
     * @param failuresToTrip {@code n}, at least 1
     * @param openSeconds {@code tau}, more than 0
     */
    public static StateShares of(Regimes regimes, int failuresToTrip, double openSeconds) {
        double cycleSeconds = secondsOpen(regimes, openSeconds);
        double lasts = regimes.lasts(Require.between("failuresToTrip", failuresToTrip, 1, Integer.MAX_VALUE));
        return ofSeconds((regimes.upSeconds + regimes.downSeconds * (1 - lasts)) / lasts, cycleSeconds, 0);
    }

    /** Probes per second of that breaker: one for each open time. */
    public static double probesPerSecond(Regimes regimes, int failuresToTrip, double openSeconds) {
        return of(regimes, failuresToTrip, openSeconds).open / (openSeconds + 1 / regimes.callsPerSecond);
    }

    private static double secondsOpen(Regimes regimes, double openSeconds) {
        double changes = 1 / regimes.upSeconds + 1 / regimes.downSeconds;
        double up = regimes.upSeconds / (regimes.upSeconds + regimes.downSeconds);
        double stillDown = Math.exp(-changes * Chance.positive("openSeconds", openSeconds))
                * regimes.callsPerSecond
                / (regimes.callsPerSecond + changes);
        return (openSeconds + 1 / regimes.callsPerSecond) / (up * (1 - stillDown));
    }
}
