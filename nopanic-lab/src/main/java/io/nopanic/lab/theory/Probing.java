package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * A half-open breaker that sends at most {@code h} probes one by one and closes after {@code s} successes, or opens again as soon as those can no longer
 * come. Probes fail independently with the probability {@code p}; {@code q = 1 - p}.
 *
 * @param probes {@code h}, 1 to 10,000
 * @param successes {@code s}, from 1 to {@code h}
 */
public record Probing(int probes, int successes) {

    /** Checks the numbers. */
    public Probing {
        Require.between("probes", probes, 1, 10_000);
        Require.between("successes", successes, 1, probes);
    }

    /** How many failures mean: open again. {@code f = h - s + 1}. */
    public int failuresToOpen() {
        return probes - successes + 1;
    }

    /**
     * The chance that it closes, {@code sum over n of C(n-1,s-1) q^s p^(n-s)} for {@code n} from {@code s} to {@code h}. Exact.
     *
     * @param failureRate {@code p}, from 0 to 1
     */
    public double closes(double failureRate) {
        return ends(Chance.checked("failureRate", failureRate)).closes;
    }

    /**
     * Mean probes until the verdict, the mean of the {@code n} in {@link #closes} and of those at which the {@code f}th probe fails. Exact for probes that
     * are sent one by one; more are sent if they go out at once.
     *
     * @param failureRate {@code p}, from 0 to 1
     */
    public double meanProbes(double failureRate) {
        return ends(Chance.checked("failureRate", failureRate)).meanProbes;
    }

    private record Ends(double closes, double meanProbes) {}

    /** By the number of failures so far, call by call; nothing is subtracted. */
    private Ends ends(double p) {
        double[] pending = new double[failuresToOpen()];
        pending[0] = 1;
        double closes = 0;
        double mean = 0;
        for (int sent = 1; sent <= probes; sent++) {
            for (int failures = pending.length - 1; failures >= 0; failures--) {
                double failsNow = pending[failures] * p;
                double succeedsNow = pending[failures] * (1 - p);
                if (failures + 1 == pending.length) {
                    mean += sent * failsNow;
                } else {
                    pending[failures + 1] += failsNow;
                }
                boolean last = sent - failures == successes;
                closes += last ? succeedsNow : 0;
                mean += last ? sent * succeedsNow : 0;
                pending[failures] = last ? 0 : succeedsNow;
            }
        }
        return new Ends(closes, mean);
    }
}
