package io.nopanic.lab.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which policy to take out of several families, the simplest as long as nothing else is clearly cheaper.
 *
 * <p>A family of many policies has one that suits the past by chance. So a family is judged by what it would have cost to choose from it without knowing
 * what comes: each incident, and each piece of time between, is left out in turn, the policy that is cheapest in all others is taken, and what
 * that policy costs in the one that was left out is counted (cross-validation). Of the families whose cost is at most one standard error above the least,
 * the simplest is chosen (Breiman, Friedman, Olshen and Stone, 1984); the standard error is that of the difference, from the block bootstrap.
 *
 * @param failureCost what one failed call that was sent costs, in wrongly refused ones
 * @param families in the order in which they were given
 * @param chosen the place of the chosen one among them
 * @param incidents how many incidents this rests on
 */
public record Selection(double failureCost, List<Family> families, int chosen, int incidents) {

    private static final double ROUNDING = 1e-6;

    /**
     * One family.
     *
     * @param policy the cheapest of it over the whole log, as a place in {@link ReplayResult#policies()}; the first of several
     * @param cost what that costs per 10,000 calls
     * @param leftOutCost the same if each piece of the log is judged by a policy that was chosen without it
     * @param aboveBest by how much {@code leftOutCost} is above that of the best family
     * @param standardError of that difference
     */
    public record Family(int policy, double cost, double leftOutCost, double aboveBest, double standardError) {

        /** Whether it cannot be told from the best family. */
        public boolean isAsGood() {
            return aboveBest <= standardError;
        }
    }

    /** Whether there were enough incidents for this to mean something. */
    public boolean isFounded() {
        return incidents >= Ranking.ENOUGH_INCIDENTS;
    }

    /** The family that is chosen. */
    public Family choice() {
        return families.get(chosen);
    }

    static Selection of(List<List<PolicyResult>> families, List<List<Integer>> places, Bootstrap bootstrap, double c) {
        List<BlockCosts> leftOut =
                families.stream().map(family -> leaveOneOut(family, c)).toList();
        double[] costs = leftOut.stream()
                .mapToDouble(each -> bootstrap.cost(each, c))
                .toArray();
        double[][] rounds = bootstrap.costs(leftOut, c);
        int best = IntStream.range(0, costs.length)
                .boxed()
                .min(Comparator.comparingDouble(family -> costs[family]))
                .orElseThrow();
        List<Family> judged = new ArrayList<>();
        for (int i = 0; i < costs.length; i++) {
            double[] family = rounds[i];
            double error = Bootstrap.deviation(IntStream.range(0, family.length)
                    .mapToDouble(round -> family[round] - rounds[best][round])
                    .toArray());
            int cheapest = cheapest(sums(families.get(i), c));
            judged.add(new Family(
                    places.get(i).get(cheapest),
                    bootstrap.cost(families.get(i).get(cheapest).blocks(), c),
                    costs[i],
                    costs[i] - costs[best],
                    error));
        }
        int chosen = IntStream.range(0, judged.size())
                .filter(i -> judged.get(i).isAsGood())
                .findFirst()
                .orElseThrow();
        return new Selection(c, List.copyOf(judged), chosen, bootstrap.incidents());
    }

    /** What a family costs in each block if it is chosen from by all others. */
    private static BlockCosts leaveOneOut(List<PolicyResult> family, double c) {
        double[] sums = sums(family, c);
        int blocks = family.get(0).blocks().wronglyRefused().length;
        long[] wronglyRefused = new long[blocks];
        long[] failuresSent = new long[blocks];
        double[] others = new double[sums.length];
        for (int block = 0; block < blocks; block++) {
            for (int policy = 0; policy < others.length; policy++) {
                others[policy] = sums[policy] - cost(family.get(policy).blocks(), block, c);
            }
            BlockCosts taken = family.get(cheapest(others)).blocks();
            wronglyRefused[block] = taken.wronglyRefused()[block];
            failuresSent[block] = taken.failuresSent()[block];
        }
        return new BlockCosts(wronglyRefused, failuresSent);
    }

    private static double[] sums(List<PolicyResult> family, double c) {
        return family.stream()
                .map(PolicyResult::blocks)
                .mapToDouble(costs -> IntStream.range(0, costs.wronglyRefused().length)
                        .mapToDouble(block -> cost(costs, block, c))
                        .sum())
                .toArray();
    }

    private static double cost(BlockCosts costs, int block, double c) {
        return costs.wronglyRefused()[block] + c * costs.failuresSent()[block];
    }

    /** The first of those that cost least; sums of the same costs in another order are the same. */
    private static int cheapest(double[] costs) {
        int cheapest = 0;
        for (int i = 1; i < costs.length; i++) {
            if (costs[i] < costs[cheapest] - ROUNDING) {
                cheapest = i;
            }
        }
        return cheapest;
    }
}
