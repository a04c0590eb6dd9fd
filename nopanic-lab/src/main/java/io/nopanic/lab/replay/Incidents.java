package io.nopanic.lab.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When something was wrong, with each key. The incidents of a key do not overlap and are in order; all of them together are numbered, key
 * after key.
 */
public final class Incidents {

    /** What {@link #near} answers when there is none. */
    static final int NONE = -1;

    private final List<Span> spans = new ArrayList<>();
    private final List<Integer> keys = new ArrayList<>();

    /** The number of the first incident of each key; and, behind the last, of all. */
    private final int[] first;

    private Incidents(List<List<Span>> byKey, long gapNanos) {
        first = new int[byKey.size() + 1];
        for (int key = 0; key < byKey.size(); key++) {
            first[key] = spans.size();
            for (Span span : merged(byKey.get(key), gapNanos)) {
                spans.add(span);
                keys.add(key);
            }
        }
        first[byKey.size()] = spans.size();
    }

    /**
     * The incidents of each key.
     *
     * @param byKey in any order, may overlap
     * @param gapNanos those with a shorter gap between them become one
     */
    public static Incidents of(List<List<Span>> byKey, long gapNanos) {
        return new Incidents(byKey, gapNanos);
    }

    private static List<Span> merged(List<Span> spans, long gapNanos) {
        List<Span> merged = new ArrayList<>();
        for (Span next : spans.stream()
                .sorted(Comparator.comparingLong(Span::startNanos))
                .toList()) {
            Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && next.startNanos() - last.endNanos() < Math.max(1, gapNanos)) {
                merged.set(merged.size() - 1, new Span(last.startNanos(), Math.max(last.endNanos(), next.endNanos())));
            } else {
                merged.add(next);
            }
        }
        return merged;
    }

    /** How many there are. */
    public int count() {
        return spans.size();
    }

    /** When an incident was. */
    public Span span(int incident) {
        return spans.get(incident);
    }

    /** What it was with. */
    public int key(int incident) {
        return keys.get(incident);
    }

    int firstOf(int key) {
        return first[key];
    }

    /** The number behind the last of a key. */
    int endOf(int key) {
        return first[key + 1];
    }

    /**
     * The latest incident of a key that began before this moment and ended at most {@code toleranceNanos} before it; if there is none, one that begins at most
     * as much after it, or {@link #NONE}.
     */
    int near(int key, long nowNanos, long toleranceNanos) {
        int low = firstOf(key);
        int high = endOf(key);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).startNanos() <= nowNanos + toleranceNanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int latest = low - 1;
        boolean begins = latest > firstOf(key) && spans.get(latest).startNanos() > nowNanos;
        if (begins && isNear(latest - 1, nowNanos, toleranceNanos)) {
            return latest - 1;
        }
        return latest >= firstOf(key) && isNear(latest, nowNanos, toleranceNanos) ? latest : NONE;
    }

    /** It did not end long ago. */
    private boolean isNear(int incident, long nowNanos, long toleranceNanos) {
        return nowNanos <= spans.get(incident).endNanos() + toleranceNanos;
    }

    /** All of them, whatever the key, merged where they overlap. */
    List<Span> union() {
        return merged(spans, 0);
    }
}
