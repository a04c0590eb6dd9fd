package io.nopanic.lab.tune;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.NoBreaker;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.setup.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The policies to choose from; in front of them none at all, to compare with. */
final class Candidates {

    /** The place of no breaker among {@link #policies()}. */
    static final int NO_BREAKER = 0;

    private static final List<String> COSTS = List.of("0.1", "0.3", "1", "3", "10", "30");
    private static final List<Integer> PROBES = List.of(1, 3, 5);
    private static final List<String> OPEN_TIMES = List.of("1s", "5s", "15s", "60s");

    /** The simplest first, because the first of those that cost the same is taken. */
    private static final List<String> CLASSIC = List.of(
            "consecutive:3",
            "consecutive:5",
            "consecutive:10",
            "consecutive:20",
            "count:20,50,10",
            "count:100,50,50",
            "time:10s,25,10",
            "time:10s,50,5",
            "time:10s,50,20",
            "time:30s,25,20",
            "time:30s,50,5",
            "time:30s,50,20");

    private static final List<String> CLASSIC_OPEN_TIMES = List.of("1s", "10s");

    private final List<PolicySpec> policies = new ArrayList<>(List.of(new NoBreaker("none")));
    private final Map<Family, List<Integer>> places = new EnumMap<>(Family.class);
    private final List<Double> costs;

    /**
     * Lists them.
     *
     * @param costs of a failure, for each of which there is to be an adaptive breaker
     * @param slowAfter for adaptive breakers
     */
    Candidates(List<Double> costs, Optional<BreakerSpec> current, Optional<Duration> slowAfter) {
        this.costs = List.copyOf(costs);
        String slow = slowAfter
                .map(duration -> ";slow-after=" + Durations.text(duration).replace(" ", ""))
                .orElse("");
        costs.forEach(
                cost -> add(Family.ADAPTIVE_DEFAULT, PolicyParser.parseLine("auto:" + Plain.number(cost) + slow)));
        for (String cost : COSTS) {
            for (int probes : PROBES) {
                add(Family.ADAPTIVE, PolicyParser.parseLine("auto:" + cost + ";close-after=" + probes + slow));
            }
        }
        current.ifPresent(this::addCurrent);
        for (String form : CLASSIC) {
            for (String open : CLASSIC_OPEN_TIMES) {
                add(Family.CLASSIC, PolicyParser.parseLine(form + "," + open));
            }
        }
    }

    private void addCurrent(BreakerSpec current) {
        add(Family.CURRENT, current);
        if (current.schedule() instanceof Schedule.Timed timed) {
            for (String open : OPEN_TIMES) {
                Duration duration = Durations.parse("openFor", open);
                if (!duration.equals(timed.openFor())) {
                    add(
                            Family.CURRENT,
                            renamed(
                                    current,
                                    open,
                                    new Schedule.Timed(
                                            duration,
                                            timed.growth(),
                                            timed.cap().map(cap -> cap.compareTo(duration) < 0 ? duration : cap),
                                            timed.jitter())));
                }
            }
            add(
                    Family.CURRENT,
                    renamed(current, "after refused calls", new Schedule.Quadratic(Optional.empty(), timed.jitter())));
        }
    }

    private static BreakerSpec renamed(BreakerSpec spec, String open, Schedule schedule) {
        return new BreakerSpec(
                spec.name() + ", open " + open, spec.trip(), schedule, spec.probing(), spec.slowAfter(), spec.notes());
    }

    private void add(Family family, BreakerSpec spec) {
        places.computeIfAbsent(family, each -> new ArrayList<>()).add(policies.size());
        policies.add(spec);
    }

    /** All of them. */
    List<PolicySpec> policies() {
        return policies;
    }

    /** The breaker that is in use, as a place. */
    Optional<Integer> current() {
        return Optional.ofNullable(places.get(Family.CURRENT)).map(those -> those.get(0));
    }

    /** The adaptive breaker for a cost, as a place. */
    int adaptive(double cost) {
        return of(Family.ADAPTIVE_DEFAULT).get(costs.indexOf(cost));
    }

    BreakerSpec breaker(int place) {
        return (BreakerSpec) policies.get(place);
    }

    /** The families that there are, the simplest first. */
    List<Family> families() {
        return Stream.of(Family.values()).filter(places::containsKey).toList();
    }

    /** Their members, for a cost. */
    List<List<Integer>> members(double cost) {
        return families().stream()
                .map(family -> family == Family.ADAPTIVE_DEFAULT ? List.of(adaptive(cost)) : of(family))
                .toList();
    }

    private List<Integer> of(Family family) {
        return places.getOrDefault(family, List.of());
    }
}
