package io.nopanic.lab.logs;

import java.util.List;
import java.util.Map;

/**
 * What was read, and what was not. Every line is one of: with calls, without any that could be expected, dropped, unparsable. In documents of
 * spans a span counts as a line.
 *
 * @param format the format, by its name
 * @param formatWasFound whether it was found out from the first lines
 * @param lines how many lines, or spans
 * @param linesWithCalls how many of them with one call or more
 * @param emptyLines how many of them blank, or names of columns, or otherwise not meant to be calls
 * @param calls how many calls
 * @param withoutDuration how many calls of which the log does not say how long they took
 * @param droppedByReason how many lines were left out, by the reason in words: refused by a proxy, answered without the dependency, of another kind
 * @param unparsable how many lines are not what the format says
 * @param examples the first few of these
 * @param outOfOrder how many lines were late by both their start and their end; they are read all the same
 * @param mostLateNanos by how much the worst of these was late
 * @param clockJumps how often the clock was set back
 * @param largestClockJumpNanos by how much at the most
 * @param longestGapNanos the longest time in which no call was under way: silence, a hole in the log, or a clock that was set forward
 * @param spreadLines how many lines had a time in whole seconds only, and were given a random place in their second
 * @param lost how many calls are missing because whoever wrote the log could not keep up, as far as it says so
 * @param samplingHints what says that the log is a sample of all calls, in words
 * @param maybeSampled whether it is of a kind that often is a sample, though nothing says so
 * @param damages files of which a part could not be read, and why
 */
public record ReadReport(
        String format,
        boolean formatWasFound,
        long lines,
        long linesWithCalls,
        long emptyLines,
        long calls,
        long withoutDuration,
        Map<String, Long> droppedByReason,
        long unparsable,
        List<BadLine> examples,
        long outOfOrder,
        long mostLateNanos,
        long clockJumps,
        long largestClockJumpNanos,
        long longestGapNanos,
        long spreadLines,
        long lost,
        List<String> samplingHints,
        boolean maybeSampled,
        List<String> damages) {

    /** A larger share of unparsable lines means that what was read may not be what the log is. */
    public static final double MAX_UNPARSABLE_SHARE = 0.01;

    /** How many lines were left out, for whatever reason. */
    public long dropped() {
        return droppedByReason.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many of these are calls that a breaker or a limiter refused while the log was recorded; the reasons of those begin with this word. */
    public long refused() {
        return droppedByReason.entrySet().stream()
                .filter(each -> each.getKey().startsWith("refused"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** The share of lines that are unparsable, of those that should be calls; 0 to 1. */
    public double unparsableShare() {
        long expected = lines - emptyLines;
        return expected == 0 ? 0 : (double) unparsable / expected;
    }

    /** Whether the calls cannot be relied on: more than {@value #MAX_UNPARSABLE_SHARE} of the lines are unparsable, or a part of a file could not be read. */
    public boolean failing() {
        return unparsableShare() > MAX_UNPARSABLE_SHARE || !damages.isEmpty();
    }

    /**
     * A line that is not what the format says.
     *
     * @param file the file
     * @param line its number in it, from 1
     * @param reason what is wrong
     * @param text its beginning, made printable
     */
    public record BadLine(String file, long line, String reason, String text) {

        @Override
        public String toString() {
            return file + ":" + line + ": " + reason + ": " + text;
        }
    }
}
