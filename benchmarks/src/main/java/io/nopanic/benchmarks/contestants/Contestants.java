package io.nopanic.benchmarks.contestants;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that there is to measure. */
public final class Contestants {

    private static final List<Contestant> ALL = collect();

    private Contestants() {}

    /** All, by group; ours first in each. */
    public static List<Contestant> all() {
        return ALL;
    }

    /** Those of one group. */
    public static List<Contestant> of(Group group) {
        return ALL.stream().filter(one -> one.group() == group).toList();
    }

    /** The one that is called so. */
    public static Contestant named(String key) {
        return ALL.stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing to measure is called '" + key + "'"));
    }

    private static List<Contestant> collect() {
        List<Contestant> all = new ArrayList<>();
        all.addAll(Floors.all());
        all.addAll(Nopanic.all());
        all.addAll(NopanicPipelines.all());
        all.addAll(Resilience4j.all());
        all.addAll(Resilience4jPipelines.all());
        all.addAll(FailsafePeer.all());
        all.addAll(SmallRye.all());
        all.addAll(OtherPeers.all());
        all.addAll(SentinelPeer.all());
        all.addAll(HystrixPeer.all());
        all.addAll(Rarities.all());
        all.sort(Comparator.comparing(Contestant::group)); // stable
        return List.copyOf(all);
    }
}
