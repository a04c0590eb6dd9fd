package io.nopanic.lab.replay;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What several policies did with one log. */
public final class ReplayResult {

    private static final double DAY_NANOS = 86_400e9;
    private static final double LEAST_DAYS = 1.0 / 24;

    private final Survey survey;
    private final List<String> keys;
    private final LogFacts facts;
    private final Bootstrap bootstrap;
    private final List<PolicyResult> policies;

    ReplayResult(Survey survey, List<String> keys, LogFacts facts, Bootstrap bootstrap, List<PolicyResult> policies) {
        this.survey = survey;
        this.keys = List.copyOf(keys);
        this.facts = facts;
        this.bootstrap = bootstrap;
        this.policies = List.copyOf(policies);
    }

    /** What was known of the log. */
    public Survey survey() {
        return survey;
    }

    /** The keys of the log. */
    public List<String> keys() {
        return keys;
    }

    /** What there is to say about the log. */
    public LogFacts facts() {
        return facts;
    }

    /** The policies, in the order in which they were given. */
    public List<PolicyResult> policies() {
        return policies;
    }

    /** How many incidents there were with calls; those that overlap, whatever the key, are one. Rankings rest on these. */
    public int separateIncidents() {
        return bootstrap.incidents();
    }

    /** Whether these are enough to rank policies. */
    public boolean isFounded() {
        return separateIncidents() >= Ranking.ENOUGH_INCIDENTS;
    }

    /** How long the log is, in days. */
    public double days() {
        return survey.whole().lengthNanos() / DAY_NANOS;
    }

    /** Whether the log is long enough, an hour, to say what there would be of something in a day. */
    public boolean tellsDays() {
        return days() >= LEAST_DAYS;
    }

    /**
     * False trips per day of one policy, with 95 % confidence; nothing if the log is too short to say. Trips that follow each other within seconds have one
     * cause: what is uncertain is how many such stretches there are, and each is taken to have as many trips as they had on average.
     */
    public Optional<Interval> falseTripsPerDay(PolicyResult policy) {
        if (!tellsDays()) {
            return Optional.empty();
        }
        Tally tally = policy.total();
        double tripsOfStretch = (double) tally.falseTrips() / Math.max(1, tally.falseStretches());
        return Optional.of(Interval.ofPoissonMean(tally.falseStretches())
                .times(Math.max(1, tripsOfStretch))
                .dividedBy(days()));
    }

    /** How quickly one policy noticed incidents, and how quickly it recovered from them. */
    public Reaction reaction(PolicyResult policy) {
        return Reaction.of(facts.incidents(), policy.responses());
    }

    /**
     * The policies by what they cost.
     *
     * @param c how many wrongly refused calls are as bad as one failure that was sent
     */
    public Ranking ranking(double c) {
        return Ranking.of(policies, bootstrap, c);
    }

    /**
     * Which policy to take, out of families of them that become less and less simple.
     *
     * @param c how many wrongly refused calls are as bad as one failure that was sent
     * @param families places in {@link #policies()}, the simplest family first; none is empty
     */
    public Selection selection(double c, List<List<Integer>> families) {
        return Selection.of(
                families.stream()
                        .map(family -> family.stream().map(policies::get).toList())
                        .toList(),
                families,
                bootstrap,
                c);
    }

    /**
     * How much more one policy costs per 10,000 calls than another, with 95 % confidence.
     *
     * @param c how many wrongly refused calls are as bad as one failure that was sent
     */
    public Interval difference(PolicyResult one, PolicyResult other, double c) {
        return difference(one.blocks(), other.blocks(), c);
    }

    /** The same of {@link Tally#incidentCost}. */
    public Interval incidentDifference(PolicyResult one, PolicyResult other, double c) {
        return difference(one.incidentBlocks(), other.incidentBlocks(), c);
    }

    private Interval difference(BlockCosts one, BlockCosts other, double c) {
        double[][] rounds = bootstrap.costs(List.of(one, other), c);
        return Bootstrap.middle(IntStream.range(0, Bootstrap.ROUNDS)
                .mapToDouble(round -> rounds[0][round] - rounds[1][round])
                .toArray());
    }
}
