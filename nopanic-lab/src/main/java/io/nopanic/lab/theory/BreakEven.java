package io.nopanic.lab.theory;

/**
 * What a failed call costs decides at which failure rate to open: refusing is right if {@code p c > 1 - p}. By {@link io.nopanic.tuning.Cusum}, as the breaker does it.
 *
 * @param failureCost {@code c}: one failed call that was sent is as bad as so many calls refused for nothing; 0.01 to 1000
 */
public record BreakEven(double failureCost) {

    /** Checks the number. */
    public BreakEven {
        io.nopanic.tuning.Cusum.ofFailureCost(failureCost);
    }

    private io.nopanic.tuning.Cusum score() {
        return io.nopanic.tuning.Cusum.ofFailureCost(failureCost);
    }

    /** The failure rate at which refusing and sending cost the same, {@code theta = 1 / (1 + c)}. */
    public double rate() {
        return score().breakEvenRate();
    }

    /** The failure rate that is to be put up with: a third of the break-even odds, {@code 1 / (1 + 3 c)}. */
    public double toleratedRate() {
        return score().toleratedRate();
    }

    /**
     * The CUSUM whose score is the running difference of costs, with the lowest threshold at which the tolerated rate opens the breaker after so many calls or
     * more, on average.
     *
     * @param calls at least 1; as a rule those of 10 minutes
     */
    public Cusum test(double calls) {
        Cusum steps = steps();
        return steps.withThreshold((int) Math.round(score().threshold(calls, toleratedRate()) * steps.down()));
    }

    /** The CUSUM whose score is the running difference of costs, with the threshold that it takes for one failure. */
    public Cusum steps() {
        return new Cusum(score().up(), score().down(), score().up());
    }
}
