package io.nopanic.benchmarks.fork;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long one process measures.
 *
 * @param threads with how many threads, one number after the other
 * @param warmUpMillis how much CPU time it has for warming up, in a process that is still cold
 * @param againMillis how long it warms up once more for each number of threads
 * @param iterations how often it measures
 * @param iterationMillis how long each time
 */
public record ForkPlan(List<Integer> threads, int warmUpMillis, int againMillis, int iterations, int iterationMillis) {

    /** The plan as one word. */
    public String toArgument() {
        return Stream.concat(Stream.of(warmUpMillis, againMillis, iterations, iterationMillis), threads.stream())
                .map(Object::toString)
                .collect(Collectors.joining(","));
    }

    /** The plan that is written so. */
    static ForkPlan parse(String argument) {
        List<Integer> numbers =
                Stream.of(argument.split(",", -1)).map(Integer::valueOf).toList();
        return new ForkPlan(
                numbers.subList(4, numbers.size()), numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
    }

    /** A plan for what is quickly warm and needs no repetition. */
    ForkPlan brief() {
        return new ForkPlan(threads, iterationMillis, iterationMillis, 1, iterationMillis);
    }
}
