package io.nopanic.lab.tune;

import io.nopanic.lab.replay.Selection;
import io.nopanic.lab.setup.BreakerSpec;
import java.util.List;

/**
 * Which breaker, if a failure costs so much.
 *
 * @param failureCost how many calls refused for nothing are as bad as one failed call that was sent
 * @param spec the breaker
 * @param family its kind
 * @param certainty how much this can be relied on
 * @param contenders the best of each family; empty if there were too few incidents to compare them
 * @param selection how it was chosen; means nothing if there were too few incidents
 * @param why the evidence, in sentences
 */
public record BreakerChoice(
        double failureCost,
        BreakerSpec spec,
        Family family,
        Certainty certainty,
        List<Contender> contenders,
        Selection selection,
        List<String> why) {

    /**
     * The best of a family.
     *
     * @param name of the policy
     * @param judged its costs
     */
    public record Contender(Family family, String name, Selection.Family judged) {}
}
