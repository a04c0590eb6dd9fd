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
 * @param clockNanos what {@link System#nanoTime} took with as many threads in the same process right after; not a number where nobody asked
 */
public record Sample(int threads, double callsPerNano, double cpuNanos, double bytes, double clockNanos) {

    private static final String MARK = "sample";

    /** How long a call takes for the thread that makes it. */
    public double wallNanos() {
        return threads / callsPerNano;
    }

    /**
     * What a call takes. With one thread CPU time, which others on the machine do not lengthen; with more of them the time on the wall, because
     * threads that wait for each other use no CPU.
     */
    public double nanos() {
        return threads == 1 ? cpuNanos : wallNanos();
    }

    /** How many times as long as reading the clock. */
    public double timesClock() {
        return nanos() / clockNanos;
    }

    /** The same, beside the clock. */
    Sample withClock(double nanos) {
        return new Sample(threads, callsPerNano, cpuNanos, bytes, nanos);
    }

    /** The sample as a line. */
    public String toLine() {
        return String.format(
                Locale.ROOT, "%s %d %.9g %.6g %.6g %.6g", MARK, threads, callsPerNano, cpuNanos, bytes, clockNanos);
    }

    /** The sample that is written on a line, if there is one. */
    public static Optional<Sample> parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 6 || !words[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(new Sample(
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4]),
                Double.parseDouble(words[5])));
    }
}
