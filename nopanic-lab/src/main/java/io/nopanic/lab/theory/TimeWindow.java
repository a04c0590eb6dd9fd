package io.nopanic.lab.theory;

import io.nopanic.spi.Require;
import org.apache.commons.statistics.distribution.DiscreteDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;

/**
 * Opens when at least the share {@code r} of at least {@code m} calls in the last {@code W} seconds has failed. Calls come as a Poisson process and fail
 * independently. The window is made of buckets, so it reaches back between {@code (b - 1) / b} of its length and the whole of it; what depends on
 * the length is averaged over that.
 *
 * @param seconds {@code W}, more than 0
 * @param buckets {@code b}, at least 1; many for a window that slides
 * @param minimumCalls {@code m}, at least 1
 * @param rate {@code r}, more than 0, at most 1
 */
public record TimeWindow(double seconds, int buckets, int minimumCalls, double rate) {

    /** Above so many calls in the window it is as good as a count window. */
    private static final double MANY_CALLS = 100;

    /** At how many lengths of the window the mean over them is taken. */
    private static final int LENGTHS = 10;

    /** Checks the numbers. */
    public TimeWindow {
        Chance.positive("seconds", seconds);
        Require.between("buckets", buckets, 1, Integer.MAX_VALUE);
        Require.between("minimumCalls", minimumCalls, 1, Integer.MAX_VALUE);
        Require.share("rate", rate);
    }

    /** How long the window is at each of some moments of a bucket's life. */
    private double lengthSeconds(int moment) {
        return seconds * (buckets - 1 + (moment + 0.5) / LENGTHS) / buckets;
    }

    /**
     * Mean calls between false trips, one divided by the hazard of a call.
     *
     * <p>Above 100 calls in the window that of a {@link CountWindow} of as many calls. Below, the rate at which the window's content crosses into the
     * region {@code G = (f + s >= m, f / (f + s) >= r)}: the sum over {@code (f, s)} not in {@code G} of {@code P(f) P(s) p} for those
     * with {@code (f + 1, s)} in {@code G}, with {@code f} and {@code s} Poisson of mean {@code lambda p W} and {@code lambda q W}. A success never opens this
     * toolkit's breaker, so crossings by one do not count.
     *
     * <p>Bound: a factor of 2 either way, for means up to 1e6 calls, which is as far as it can be tried; most are within 40 %.
     *
     * @param callsPerSecond {@code lambda}, more than 0
     * @param failureRate from 0, less than {@code r}; infinite for 0
     */
    public double meanCalls(double callsPerSecond, double failureRate) {
        Chance.positive("callsPerSecond", callsPerSecond);
        double p = Chance.checked("failureRate", failureRate);
        if (p >= rate) {
            throw Require.refused("failureRate", p, "less than the rate that opens, " + rate);
        }
        if (p == 0) {
            return Double.POSITIVE_INFINITY;
        }
        double hazard = 0;
        for (int moment = 0; moment < LENGTHS; moment++) {
            double calls = callsPerSecond * lengthSeconds(moment);
            hazard += calls >= MANY_CALLS && calls >= minimumCalls
                    ? CountWindow.ofRate((int) Math.round(calls), rate).hazard(p)
                    : crossings(calls, p);
        }
        return LENGTHS / hazard;
    }

    private double crossings(double calls, double p) {
        DiscreteDistribution failures = PoissonDistribution.of(calls * p);
        double successMean = calls * (1 - p);
        DiscreteDistribution successes = PoissonDistribution.of(successMean);
        int last = (int) Math.ceil(successMean + 10 * Math.sqrt(successMean) + 50);
        double sum = 0;
        for (int s = 0; s <= last; s++) {
            int enough = leastFailuresBeside(s);
            if (enough > 0) {
                sum += Math.exp(successes.logProbability(s) + failures.logProbability(enough - 1));
            }
        }
        return p * sum;
    }

    /** With so many successes in the window, the fewest failures that open the breaker; 0 if none do. */
    private int leastFailuresBeside(int successes) {
        if (rate == 1 && successes > 0) {
            return 0;
        }
        int byRate = rate == 1 ? 1 : (int) Math.max(1, Math.floor(rate * successes / (1 - rate)) - 1);
        while ((double) byRate / (byRate + successes) < rate) {
            byRate++;
        }
        return Math.max(byRate, minimumCalls - successes);
    }

    /**
     * How likely it is, at a random moment, that the window holds enough calls to be judged at all: {@code P(Poisson(lambda W) >= m)}. Where this is small,
     * the breaker is blind. Exact for each length of the window.
     *
     * @param callsPerSecond {@code lambda}, more than 0
     */
    public double judgedShare(double callsPerSecond) {
        Chance.positive("callsPerSecond", callsPerSecond);
        double sum = 0;
        for (int moment = 0; moment < LENGTHS; moment++) {
            sum += PoissonDistribution.of(callsPerSecond * lengthSeconds(moment))
                    .survivalProbability(minimumCalls - 1);
        }
        return sum / LENGTHS;
    }

    /**
     * Seconds from a change of the failure rate until the breaker opens if everything went by the mean, {@code (r - p0) W / (p1 - p0)}, however many
     * calls there are; at most {@code W}.
     *
     * <p>Bound: for at least 100 calls in the window, a window that slides and {@code p1} well above {@code r}, 2 %; {@code b} buckets make it up to
     * {@code 1 / b} shorter.
     *
     * @param before {@code p0}, from 0, less than {@code r}
     * @param after {@code p1}, from {@code r} to 1
     */
    public double fluidDelaySeconds(double before, double after) {
        return Fluid.shareOfWindow(rate, before, after) * seconds;
    }
}
