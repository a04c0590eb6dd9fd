package io.nopanic.benchmarks.load;

import java.util.List;

/**
 * A load: many threads, one breaker, a third of the calls fails.
 *
 * @param threads how many threads call at once
 * @param calls how many calls each of them makes
 * @param runs how often, in one process; the first run is a cold one
 * @param virtual whether the threads are virtual
 * @param freshFailures whether each failing call makes an exception of its own
 */
public record LoadPlan(int threads, int calls, int runs, boolean virtual, boolean freshFailures) {

    /** The words for a command line. */
    public List<String> toArguments() {
        return List.of("" + threads, "" + calls, "" + runs, "" + virtual, "" + freshFailures);
    }

    /** The plan that these words are. */
    static LoadPlan parse(List<String> words) {
        return new LoadPlan(
                Integer.parseInt(words.get(0)),
                Integer.parseInt(words.get(1)),
                Integer.parseInt(words.get(2)),
                Boolean.parseBoolean(words.get(3)),
                Boolean.parseBoolean(words.get(4)));
    }
}
