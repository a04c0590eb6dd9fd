package io.nopanic.lab.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The policies by what they cost.
 *
 * @param cost what one failed call that was sent costs, in wrongly refused ones
 * @param entries the cheapest first
 * @param incidents how many incidents this rests on; those that overlap, whatever the key, are one
 */
public record Ranking(double cost, List<Entry> entries, int incidents) {

    /** With fewer incidents the bootstrap has too little to draw from. */
    public static final int ENOUGH_INCIDENTS = 5;

    /**
     * One policy.
     *
     * @param policy its place in {@link ReplayResult#policies()}
     * @param cost per 10,000 calls
     * @param interval where that lies
     * @param aboveBest where the difference to the cheapest lies
     */
    public record Entry(int policy, double cost, Interval interval, Interval aboveBest) {}

    static Ranking of(List<PolicyResult> policies, Bootstrap bootstrap, double c) {
        double[][] rounds =
                bootstrap.costs(policies.stream().map(PolicyResult::blocks).toList(), c);
        List<Integer> order = IntStream.range(0, policies.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> policies.get(i).total().cost(c)))
                .toList();
        double[] best = rounds[order.get(0)];
        List<Entry> entries = new ArrayList<>();
        for (int i : order) {
            double[] above = IntStream.range(0, Bootstrap.ROUNDS)
                    .mapToDouble(round -> rounds[i][round] - best[round])
                    .toArray();
            entries.add(new Entry(
                    i, policies.get(i).total().cost(c), Bootstrap.middle(rounds[i]), Bootstrap.middle(above)));
        }
        return new Ranking(c, entries, bootstrap.incidents());
    }

    /** Those that cannot be told from the cheapest, with it. */
    public List<Entry> best() {
        return entries.stream().filter(this::isTied).toList();
    }

    /** Whether a policy cannot be told from the cheapest: none can if there were not enough incidents. */
    public boolean isTied(Entry entry) {
        return !isFounded() || entry.aboveBest().contains(0);
    }

    /** Whether there were enough incidents for the intervals to mean something. */
    public boolean isFounded() {
        return incidents >= ENOUGH_INCIDENTS;
    }
}
