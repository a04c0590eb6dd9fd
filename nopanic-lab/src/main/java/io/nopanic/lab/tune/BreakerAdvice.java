package io.nopanic.lab.tune;

import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Selection;
import io.nopanic.lab.tune.BreakerChoice.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Recommends a breaker, from what the candidates did with the log. */
final class BreakerAdvice {

    /** A family that was this much cheaper in hindsight than on what it was not chosen by has learned the log by heart. */
    private static final double BY_HEART = 1.05;

    private final Candidates candidates;
    private final ReplayResult result;

    BreakerAdvice(Candidates candidates, ReplayResult result) {
        this.candidates = candidates;
        this.result = result;
    }

    /** What to take if a failure costs so much. */
    BreakerChoice choose(double cost) {
        Selection selection = result.selection(cost, candidates.members(cost));
        if (!selection.isFounded()) {
            return unfounded(cost, selection);
        }
        List<Contender> contenders = contenders(selection);
        Contender chosen = contenders.get(selection.chosen());
        return new BreakerChoice(
                cost,
                candidates.breaker(chosen.judged().policy()),
                chosen.family(),
                Certainty.FOUNDED,
                contenders,
                selection,
                reasons(contenders, chosen, selection));
    }

    private BreakerChoice unfounded(double cost, Selection selection) {
        int incidents = selection.incidents();
        List<String> why = new ArrayList<>();
        why.add(String.format(
                Locale.ROOT,
                "The log has %d incident%s; with fewer than %d, which breaker was the cheapest is chance, so they are not ranked. The adaptive"
                        + " breaker needs no tuning but for what a failure costs, so it is what to take.",
                incidents,
                incidents == 1 ? "" : "s",
                Ranking.ENOUGH_INCIDENTS));
        return new BreakerChoice(
                cost,
                candidates.breaker(candidates.adaptive(cost)),
                Family.ADAPTIVE_DEFAULT,
                Certainty.RULE_OF_THUMB,
                List.of(),
                selection,
                why);
    }

    private List<Contender> contenders(Selection selection) {
        List<Contender> contenders = new ArrayList<>();
        for (int i = 0; i < selection.families().size(); i++) {
            Selection.Family judged = selection.families().get(i);
            contenders.add(new Contender(
                    candidates.families().get(i),
                    candidates.policies().get(judged.policy()).name(),
                    judged));
        }
        return List.copyOf(contenders);
    }

    private List<String> reasons(List<Contender> contenders, Contender chosen, Selection selection) {
        List<String> why = new ArrayList<>();
        why.add(simplest(chosen, selection.incidents()));
        candidates.current().ifPresent(current -> why.add(current(current, chosen, selection.failureCost())));
        double none = policy(Candidates.NO_BREAKER).total().cost(selection.failureCost());
        double own = chosen.judged().cost();
        why.add(
                none > own
                        ? "Without a breaker it would have been " + number(none) + "."
                        : "Without a breaker it would have been " + number(none)
                                + ", so for this log and this cost none would do better.");
        contenders.stream()
                .filter(each -> each.judged().leftOutCost()
                        > BY_HEART * each.judged().cost())
                .forEach(each -> why.add(String.format(
                        Locale.ROOT,
                        "%s looks as if it cost %s, but chosen without knowing the incident it is judged by, it is %s: the difference is"
                                + " learned by heart, and would not be there next month.",
                        each.name(),
                        number(each.judged().cost()),
                        number(each.judged().leftOutCost()))));
        if (chosen.family() != Family.ADAPTIVE_DEFAULT) {
            why.add("It suits the incidents of this log. The next will be others: tune again with a longer log, and do not"
                    + " search on until something fits.");
        }
        return List.copyOf(why);
    }

    private String simplest(Contender chosen, int incidents) {
        Selection.Family judged = chosen.judged();
        String over = String.format(
                Locale.ROOT,
                "Over %d incidents it cost %s per 10,000 calls, each judged by a choice made without it",
                incidents,
                number(judged.leftOutCost()));
        if (judged.aboveBest() == 0) {
            return over + "; nothing was cheaper.";
        }
        return over + ". The cheapest kind cost " + number(judged.leftOutCost() - judged.aboveBest())
                + ", which is within one standard error of the difference, " + number(judged.standardError())
                + ": the simpler is to be preferred.";
    }

    private String current(int current, Contender chosen, double cost) {
        PolicyResult yours = policy(current);
        String costs = "Yours cost " + number(yours.total().cost(cost));
        if (current == chosen.judged().policy()) {
            return costs + " as it is; keep it.";
        }
        Interval above = result.difference(yours, policy(chosen.judged().policy()), cost);
        String range = " (95 %: " + number(above.from()) + " to " + number(above.to()) + " more)";
        return above.contains(0)
                ? costs + ", which is within what chance makes of it" + range + ": there is no need to change."
                : costs + range + ".";
    }

    private PolicyResult policy(int place) {
        return result.policies().get(place);
    }

    private static String number(double value) {
        return Math.abs(value) < 1000
                ? String.format(Locale.ROOT, "%.3g", value)
                : String.format(Locale.ROOT, "%,.0f", value);
    }
}
