package io.nopanic.lab.theory;

/**
 * The levels of a {@link Cusum}'s score below its threshold, as a Markov chain that ends when the threshold is reached. Eliminates the levels from the
 * highest down: each way over a level is replaced by the ways that lead on from there. No step subtracts. Good for one use.
 */
final class ScoreChain {

    private final int up;
    private final int down;

    /** From level i the chain goes to levels i - down to i + up; onward[i] holds the chances, that of i - down first. */
    private final double[][] onward;

    /** The chance to reach the threshold at once. */
    private final double[] ends;

    /** Mean calls spent before the next way is taken. */
    private final double[] calls;

    ScoreChain(Cusum test, double p) {
        up = test.up();
        down = test.down();
        int levels = test.threshold();
        onward = new double[levels][up + down + 1];
        ends = new double[levels];
        calls = new double[levels];
        for (int level = 0; level < levels; level++) {
            calls[level] = 1;
            onward[level][Math.max(0, level - down) - level + down] += 1 - p;
            if (level + up < levels) {
                onward[level][up + down] += p;
            } else {
                ends[level] = p;
            }
        }
    }

    /** Mean calls until the threshold is reached, from each level. */
    double[] meanCalls() {
        for (int top = ends.length - 1; top > 0; top--) {
            eliminate(top);
        }
        double[] mean = new double[ends.length];
        mean[0] = calls[0] / ends[0];
        for (int level = 1; level < mean.length; level++) {
            double sum = calls[level];
            for (int to = Math.max(0, level - down); to < level; to++) {
                double chance = onward[level][to - level + down];
                sum += chance == 0 ? 0 : chance * mean[to];
            }
            mean[level] = sum / leaves(level);
        }
        return mean;
    }

    private void eliminate(int top) {
        double leaves = leaves(top);
        int lowest = Math.max(0, top - down);
        for (int from = Math.max(0, top - up); from < top; from++) {
            double[] ways = onward[from];
            double share = ways[top - from + down] / leaves;
            if (share == 0) {
                continue;
            }
            ends[from] += share * ends[top];
            calls[from] += share * calls[top];
            for (int to = lowest; to < top; to++) {
                ways[to - from + down] += share * onward[top][to - top + down];
            }
        }
    }

    /** The chance to go anywhere else, now that no way leads up any more. */
    private double leaves(int level) {
        double leaves = ends[level];
        for (int to = Math.max(0, level - down); to < level; to++) {
            leaves += onward[level][to - level + down];
        }
        return leaves;
    }
}
