package io.nopanic.lab.report;

import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which policy was the cheapest, as far as that can be said. */
public final class Verdict {

    private Verdict() {}

    /** In sentences. */
    public static List<String> of(ReplayResult result, Ranking ranking) {
        Ranking.Entry best = ranking.entries().get(0);
        List<Ranking.Entry> cheapest = ranking.entries().stream()
                .filter(entry -> entry.cost() == best.cost())
                .toList();
        List<Ranking.Entry> others =
                ranking.entries().subList(cheapest.size(), ranking.entries().size());
        boolean alike = others.isEmpty() && cheapest.size() > 1;
        String verdict = String.format(
                Locale.ROOT,
                "If one failure that is sent costs as much as %s wrongly refused %s, %s: %s per 10,000 calls%s.",
                number(ranking.cost()),
                ranking.cost() == 1 ? "call" : "calls",
                alike ? "all policies cost the same" : names(result, cheapest) + " cost least",
                number(best.cost()),
                ranking.isFounded() ? interval(best.interval()) : "");
        if (others.isEmpty()) {
            return List.of(verdict);
        }
        String tied = names(result, others.stream().filter(ranking::isTied).toList());
        String worse = others.stream()
                .filter(entry -> !ranking.isTied(entry))
                .map(entry -> name(result, entry) + " by " + range(entry.aboveBest()))
                .collect(Collectors.joining(", "));
        String closeness = ranking.isFounded()
                ? "The difference is within what chance makes of it for: "
                : "With " + ranking.incidents() + (ranking.incidents() == 1 ? " incident" : " incidents")
                        + " nothing can be said of the order of it and: ";
        return Stream.of(
                        verdict,
                        tied.isEmpty() ? "" : closeness + tied + ".",
                        worse.isEmpty() ? "" : "Dearer, with 95 % confidence: " + worse + ".")
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String name(ReplayResult result, Ranking.Entry entry) {
        return result.policies().get(entry.policy()).spec().name();
    }

    private static String names(ReplayResult result, List<Ranking.Entry> entries) {
        return entries.stream().map(entry -> name(result, entry)).collect(Collectors.joining(", "));
    }

    private static String interval(Interval interval) {
        return " (95 %, for logs with as many incidents: " + range(interval) + ")";
    }

    private static String range(Interval interval) {
        return number(interval.from()) + " to " + number(interval.to());
    }

    private static String number(double value) {
        String format = Math.abs(value) < 100 ? "%.3g" : "%,.0f";
        return value == Math.rint(value) && Math.abs(value) < 100
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, format, value);
    }
}
