package io.nopanic.lab.tune;

import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Selection;
import io.nopanic.lab.replay.Tally;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.BreakerChoice.Contender;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Recommends a breaker, from what the candidates did with the log. */
final class BreakerAdvice {

    /** A kind that costs so much more on what it was not chosen by has learned the log by heart; as a share of what it costs in incidents. */
    private static final double BY_HEART = 0.05;

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

    /** What the policies did that have to be spoken of: the best of each kind, the one in use, none at all, and those for other answers. */
    List<Candidate> candidates(BreakerChoice choice, Collection<BreakerChoice> others) {
        Set<Integer> places = new LinkedHashSet<>();
        choice.contenders().forEach(each -> places.add(each.judged().policy()));
        places.add(candidates.policies().indexOf(choice.spec()));
        candidates.current().ifPresent(places::add);
        places.add(Candidates.NO_BREAKER);
        others.forEach(other -> places.add(candidates.policies().indexOf(other.spec())));
        Map<Integer, Ranking.Entry> entries = result.ranking(choice.failureCost()).entries().stream()
                .collect(Collectors.toMap(Ranking.Entry::policy, Function.identity()));
        return places.stream()
                .map(place -> new Candidate(
                        policy(place),
                        Objects.requireNonNull(entries.get(place)),
                        candidates.current().filter(place::equals).isPresent()))
                .toList();
    }

    private BreakerChoice unfounded(double cost, Selection selection) {
        int incidents = selection.incidents();
        List<String> why = new ArrayList<>();
        why.add(String.format(
                Locale.ROOT,
                "The log has %s; with fewer than %d, which breaker was the cheapest is chance, so they are not ranked. The adaptive"
                        + " breaker needs no tuning but for what a failure costs, so it is what to take.",
                Plain.count(incidents, "incident"),
                Ranking.ENOUGH_INCIDENTS));
        repeated().ifPresent(why::add);
        return new BreakerChoice(
                cost,
                candidates.breaker(candidates.adaptive(cost)),
                Family.ADAPTIVE_DEFAULT,
                Certainty.RULE_OF_THUMB,
                List.of(),
                selection,
                List.copyOf(why));
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
        double cost = selection.failureCost();
        List<String> why = new ArrayList<>();
        why.add(simplest(chosen, selection.incidents()));
        candidates.current().ifPresent(current -> why.add(current(current, chosen, cost)));
        double none = policy(Candidates.NO_BREAKER).total().cost(cost);
        why.add("Without a breaker it would have been " + Plain.rounded(none)
                + (none > chosen.judged().cost() ? "" : ", so for this log and this cost none would do better")
                + ".");
        double outside = outsideOfIncidents(cost);
        if (outside > 0) {
            why.add("Nearly " + Plain.rounded(outside)
                    + " of each are failures outside of incidents, hardly any of which a breaker could avoid.");
        }
        contenders.stream()
                .filter(each -> each.judged().leftOutCost() - each.judged().cost()
                        > BY_HEART * policy(each.judged().policy()).total().incidentCost(cost))
                .forEach(each -> why.add(
                        each.name() + " cost " + Plain.rounded(each.judged().cost())
                                + ", but its kind, if it has to choose without the incident it is judged by, "
                                + Plain.rounded(each.judged().leftOutCost())
                                + ": the difference is learned by heart, and would not be there next month."));
        if (chosen.family() != Family.ADAPTIVE_DEFAULT) {
            why.add(
                    "It suits the incidents of this log. The next will be others: tune again with a longer log, and do not"
                            + " search on until something fits.");
        }
        repeated().ifPresent(why::add);
        return List.copyOf(why);
    }

    /** That attempts of one call are not independent of each other, if there are such. */
    private Optional<String> repeated() {
        long repeated = result.facts().load().repeated();
        return repeated == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of the calls are repeated attempts. Breakers were offered each as a call of its own, although whoever is"
                                + " refused the first may not make the second; so costs count some calls twice.",
                        repeated));
    }

    /** What failures outside of incidents cost per 10,000 calls. */
    private double outsideOfIncidents(double cost) {
        Tally none = policy(Candidates.NO_BREAKER).total();
        return none.cost(cost) - none.incidentCost(cost);
    }

    private String simplest(Contender chosen, int incidents) {
        Selection.Family judged = chosen.judged();
        String over = String.format(
                Locale.ROOT,
                "Over %d incidents it cost %s per 10,000 calls, each judged by a choice made without it",
                incidents,
                Plain.rounded(judged.leftOutCost()));
        if (judged.aboveBest() == 0) {
            return over + "; nothing was cheaper.";
        }
        return over + ". The cheapest kind cost " + Plain.rounded(judged.aboveBest())
                + " less, which is within one standard error of that difference, "
                + Plain.rounded(judged.standardError())
                + ": the simpler is to be preferred.";
    }

    private String current(int current, Contender chosen, double cost) {
        PolicyResult yours = policy(current);
        String costs = "Yours cost " + Plain.rounded(yours.total().cost(cost));
        if (current == chosen.judged().policy()) {
            return costs + " as it is; keep it.";
        }
        Interval above = result.difference(yours, policy(chosen.judged().policy()), cost);
        String range = " (95 %: " + Plain.rounded(above.from()) + " to " + Plain.rounded(above.to()) + " more)";
        return above.contains(0)
                ? costs + ", which is within what chance makes of it" + range + ": there is no need to change."
                : costs + range + ".";
    }

    private PolicyResult policy(int place) {
        return result.policies().get(place);
    }
}
