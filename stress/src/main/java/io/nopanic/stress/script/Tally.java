package io.nopanic.stress.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How often each interesting thing happened. Not thread-safe. */
public final class Tally {

    private final Map<String, long[]> counts = new TreeMap<>();

    /** It happened once more. */
    public void count(String what) {
        add(what, 1);
    }

    /** It happened so many times more. */
    public void add(String what, long times) {
        counts.computeIfAbsent(what, key -> new long[1])[0] += times;
    }

    /** How often it happened. */
    public long of(String what) {
        long[] count = counts.get(what);
        return count == null ? 0 : count[0];
    }

    /** Takes over what another has counted. */
    public void addAll(Tally other) {
        other.counts.forEach((what, count) -> add(what, count[0]));
    }

    /** Which of these never happened. */
    public List<String> missing(List<String> expected) {
        List<String> missing = new ArrayList<>();
        expected.forEach(what -> {
            if (of(what) == 0) {
                missing.add(what);
            }
        });
        return missing;
    }

    /** A line for each, in the order of the alphabet. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach((what, count) -> text.append(String.format(Locale.ROOT, "    %,14d  %s%n", count[0], what)));
        return text.toString();
    }
}
