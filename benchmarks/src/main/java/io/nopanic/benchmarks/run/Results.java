package io.nopanic.benchmarks.run;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What was measured of calls, round by round. Not thread-safe. */
public final class Results {

    private final Rounds<Cell, Sample> samples = new Rounds<>();

    /**
     * What one number of a table is about.
     *
     * @param contestant its key
     * @param threads how many threads call
     */
    public record Cell(String contestant, int threads) {}

    /** Adds what one process measured. */
    public void add(int round, String contestant, List<Sample> measured) {
        for (Sample sample : measured) {
            samples.add(round, new Cell(contestant, sample.threads()), sample);
        }
    }

    /** Whether there is anything about it. */
    public boolean has(Cell cell) {
        return samples.has(cell);
    }

    /** Whether there is anything at all about it. */
    public boolean has(String contestant) {
        return samples.keys().stream().anyMatch(cell -> cell.contestant().equals(contestant));
    }

    /** All samples. */
    public Rounds<Cell, Sample> samples() {
        return samples;
    }

    /** One measure over the rounds. */
    public Optional<Interval> of(Cell cell, ToDoubleFunction<Sample> measure) {
        return samples.of(cell, measure);
    }

    /** How many times as long one takes as the other. */
    public Optional<Interval> ratio(Cell one, Cell other) {
        return ratio(one, other, Sample::nanos);
    }

    /** The ratio of a measure, from the rounds in which both were measured. */
    public Optional<Interval> ratio(Cell one, Cell other, ToDoubleFunction<Sample> measure) {
        return samples.ratio(one, other, measure);
    }

    /** The quickest peer of a group, of those that may be it. */
    public Optional<Cell> bestPeer(Group group, int threads, Predicate<String> candidates) {
        return least(group, threads, candidates, Sample::nanos);
    }

    /** The peer of a group that allocates least. */
    public Optional<Cell> fewestBytes(Group group, int threads) {
        return least(group, threads, peer -> true, Sample::bytes);
    }

    private Optional<Cell> least(
            Group group, int threads, Predicate<String> candidates, ToDoubleFunction<Sample> measure) {
        return Contestants.of(group).stream()
                .filter(one -> !one.isOurs())
                .map(Contestant::key)
                .filter(candidates)
                .map(key -> new Cell(key, threads))
                .filter(this::has)
                .min(Comparator.comparingDouble(
                        cell -> of(cell, measure).orElseThrow().value()));
    }
}
