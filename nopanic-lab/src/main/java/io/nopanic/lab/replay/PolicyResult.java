package io.nopanic.lab.replay;

import io.nopanic.lab.setup.PolicySpec;
import java.util.List;

/** What one policy did with a log. */
public final class PolicyResult {

    private final PolicySpec spec;
    private final Tally total;
    private final List<Tally> byKey;
    private final Responses responses;
    private final StateTimeline timeline;
    private final Costs costs;

    /**
     * What it did in each block.
     *
     * @param all with all failures that were sent
     * @param incident with those only that were sent in incidents
     */
    record Costs(BlockCosts all, BlockCosts incident) {}

    PolicyResult(PolicySpec spec, List<Tally> byKey, Responses responses, StateTimeline timeline, Costs costs) {
        this.spec = spec;
        this.byKey = byKey;
        this.responses = responses;
        this.timeline = timeline;
        this.costs = costs;
        total = byKey.stream().reduce(Tally.NONE, Tally::plus);
    }

    /** The policy. */
    public PolicySpec spec() {
        return spec;
    }

    /** All keys together. */
    public Tally total() {
        return total;
    }

    /** By the places of the keys in the log. */
    public List<Tally> byKey() {
        return byKey;
    }

    /** How it responded to each incident. */
    public Responses responses() {
        return responses;
    }

    /** The states of its breakers. */
    public StateTimeline timeline() {
        return timeline;
    }

    BlockCosts blocks() {
        return costs.all();
    }

    /** Without the failures outside of incidents. */
    BlockCosts incidentBlocks() {
        return costs.incident();
    }
}
