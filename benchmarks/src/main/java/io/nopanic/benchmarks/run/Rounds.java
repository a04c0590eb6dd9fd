package io.nopanic.benchmarks.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of several things, round by round. Not thread-safe.
 *
 * @param <K> what the things are called
 * @param <V> what was measured of one in one round
 */
public final class Rounds<K, V> {

    private final Map<K, Map<Integer, V>> values = new LinkedHashMap<>();

    /** Adds what one round measured. */
    void add(int round, K key, V value) {
        values.computeIfAbsent(key, added -> new TreeMap<>()).put(round, value);
    }

    /** What there is something about, in the order in which it was first measured. */
    public Set<K> keys() {
        return values.keySet();
    }

    /** Whether there is anything about it. */
    public boolean has(K key) {
        return values.containsKey(key);
    }

    /** All about it, by round. */
    public Map<Integer, V> byRound(K key) {
        return values.getOrDefault(key, Map.of());
    }

    /** How many rounds there are of what there are most of. */
    public int most() {
        return values.values().stream().mapToInt(Map::size).max().orElse(0);
    }

    /** One measure over the rounds. */
    public Optional<Interval> of(K key, ToDoubleFunction<V> measure) {
        return interval(
                byRound(key).values().stream().map(measure::applyAsDouble).toList());
    }

    /** The ratio of a measure, from the rounds in which both were measured. */
    public Optional<Interval> ratio(K one, K other, ToDoubleFunction<V> measure) {
        Map<Integer, V> others = byRound(other);
        List<Double> ratios = new ArrayList<>();
        byRound(one).forEach((round, value) -> {
            V reference = others.get(round);
            if (reference != null) {
                ratios.add(measure.applyAsDouble(value) / measure.applyAsDouble(reference));
            }
        });
        return interval(ratios);
    }

    private static Optional<Interval> interval(Collection<Double> numbers) {
        return numbers.isEmpty() ? Optional.empty() : Optional.of(Interval.of(List.copyOf(numbers)));
    }
}
