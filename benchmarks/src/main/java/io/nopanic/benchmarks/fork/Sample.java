package io.nopanic.benchmarks.fork;

import java.util.Locale;
import java.util.Optional;

/**
 * What one process measured with one number of threads.
 *
 * @param threads how many threads called
 * @param callsPerNano how many calls all of them together made in a nanosecond
 * @param cpuNanos CPU time per call
 * @param bytes allocated per call
 */
public record Sample(int threads, double callsPerNano, double cpuNanos, double bytes) {

    private static final String MARK = "sample";

    /** How long a call takes for the thread that makes it. */
    public double wallNanos() {
        return threads / callsPerNano;
    }

    /** The sample as a line. */
    public String toLine() {
        return String.format(Locale.ROOT, "%s %d %.9g %.6g %.6g", MARK, threads, callsPerNano, cpuNanos, bytes);
    }

    /** The sample that is written on a line, if there is one. */
    public static Optional<Sample> parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 5 || !words[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(new Sample(
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4])));
    }
}
