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
    private final BlockCosts blocks;

    PolicyResult(PolicySpec spec, List<Tally> byKey, Responses responses, StateTimeline timeline, BlockCosts blocks) {
        this.spec = spec;
        this.byKey = byKey;
        this.responses = responses;
        this.timeline = timeline;
        this.blocks = blocks;
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
        return blocks;
    }
}
