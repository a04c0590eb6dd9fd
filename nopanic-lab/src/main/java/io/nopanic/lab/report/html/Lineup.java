package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.setup.NoBreaker;
import io.nopanic.lab.setup.PolicyParser;
import java.util.ArrayList;
import java.util.List;

/**
 * The policies in the order in which the report tells of them: what the user wrote first, then the cheapest first. Each has a letter by which all
 * pictures call it.
 *
 * @param ranking what the order comes from
 */
record Lineup(Ranking ranking, List<Entrant> entrants) {

    private static final int LETTERS = 26;

    /**
     * One policy.
     *
     * @param tag its letter
     * @param result what it did
     * @param entry its place among the others
     * @param own whether it is the user's, rather than somebody's defaults
     * @param first whether it comes first: it cost least, maybe with others, or is recommended
     */
    record Entrant(String tag, PolicyResult result, Ranking.Entry entry, boolean own, boolean first) {

        String name() {
            return result.spec().name();
        }

        boolean isBreaker() {
            return !(result.spec() instanceof NoBreaker);
        }

        /** Whether to draw it so that it stands out. */
        boolean isMarked() {
            return own || first;
        }
    }

    static Lineup of(ReplayResult result, double cost) {
        Ranking ranking = result.ranking(cost);
        List<Ranking.Entry> order = new ArrayList<>();
        for (boolean own : new boolean[] {true, false}) {
            ranking.entries().stream()
                    .filter(entry -> isOwn(result.policies().get(entry.policy())) == own)
                    .forEach(order::add);
        }
        double least = ranking.entries().get(0).cost();
        boolean allAlike = ranking.entries().stream().allMatch(entry -> entry.cost() == least);
        List<Entrant> entrants = new ArrayList<>();
        for (Ranking.Entry entry : order) {
            PolicyResult policy = result.policies().get(entry.policy());
            entrants.add(new Entrant(
                    tag(entrants.size()), policy, entry, isOwn(policy), entry.cost() == least && !allAlike));
        }
        return new Lineup(ranking, List.copyOf(entrants));
    }

    private static boolean isOwn(PolicyResult policy) {
        return !PolicyParser.presets().contains(policy.spec().name());
    }

    /** The letter of a place. */
    static String tag(int place) {
        return place < LETTERS ? String.valueOf((char) ('A' + place)) : String.valueOf(place + 1);
    }
}
