package io.nopanic.lab.replay;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * How much the costs of policies would vary from one such log to another: incidents and pieces of healthy time are drawn anew, with replacement, each from among
 * their own kind, {@value #ROUNDS} times with a fixed seed. All policies see the same draws, so that their differences vary less than they do.
 */
final class Bootstrap {

    static final int ROUNDS = 1000;

    private static final String RANDOM = "L64X128MixRandom";
    private static final long SEED = 11;
    private static final double TAIL = 0.025;

    private final int[] incidents;
    private final int[] healthy;
    private final long[] calls;

    Bootstrap(Blocks blocks, long[] calls) {
        this.calls = calls;
        incidents = IntStream.range(0, blocks.count())
                .filter(block -> blocks.isIncident(block) && calls[block] > 0)
                .toArray();
        healthy = IntStream.range(0, blocks.count())
                .filter(block -> !blocks.isIncident(block) && calls[block] > 0)
                .toArray();
    }

    /** How many incidents there were calls in. */
    int incidents() {
        return incidents.length;
    }

    /** The costs of each policy in each round. */
    double[][] costs(List<BlockCosts> policies, double c) {
        double[][] costs = new double[policies.size()][ROUNDS];
        RandomGenerator random = RandomGeneratorFactory.of(RANDOM).create(SEED);
        int[] drawn = new int[incidents.length + healthy.length];
        for (int round = 0; round < ROUNDS; round++) {
            draw(random, drawn);
            for (int policy = 0; policy < policies.size(); policy++) {
                costs[policy][round] = cost(policies.get(policy), drawn, c);
            }
        }
        return costs;
    }

    private void draw(RandomGenerator random, int[] drawn) {
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = i < incidents.length
                    ? incidents[random.nextInt(incidents.length)]
                    : healthy[random.nextInt(healthy.length)];
        }
    }

    /** What it cost per 10,000 calls. */
    double cost(BlockCosts costs, double c) {
        return cost(costs, IntStream.range(0, calls.length).toArray(), c);
    }

    private double cost(BlockCosts costs, int[] drawn, double c) {
        double wronglyRefused = 0;
        double failuresSent = 0;
        double all = 0;
        for (int block : drawn) {
            wronglyRefused += costs.wronglyRefused()[block];
            failuresSent += costs.failuresSent()[block];
            all += calls[block];
        }
        return Tally.cost(c, wronglyRefused, failuresSent, all);
    }

    /** By how much the values vary: their standard deviation. */
    static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        return Math.sqrt(Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElse(0));
    }

    /** Between which bounds 95 % of the values are. */
    static Interval middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Interval(
                sorted[(int) Math.floor(TAIL * (sorted.length - 1))],
                sorted[(int) Math.ceil((1 - TAIL) * (sorted.length - 1))]);
    }
}
