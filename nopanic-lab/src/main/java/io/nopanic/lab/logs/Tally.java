package io.nopanic.lab.logs;

import io.nopanic.lab.logs.format.Intake;
import io.nopanic.lab.logs.format.Order;
import io.nopanic.lab.logs.format.Printable;
import io.nopanic.lab.logs.format.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what lines turn out to be. Not thread-safe. */
final class Tally {

    private static final int MAX_EXAMPLES = 5;

    private final Map<String, Long> droppedByReason = new LinkedHashMap<>();
    private final List<ReadReport.BadLine> examples = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();
    private long lines;
    private long linesWithCalls;
    private long emptyLines;
    private long unparsable;

    /** A line, or a part of one, of which the text is in {@code bytes} from {@code from} to before {@code to}. */
    void count(Verdict verdict, String file, long line, byte[] bytes, int from, int to) {
        lines++;
        switch (verdict.kind()) {
            case CALL -> linesWithCalls++;
            case NOTHING -> emptyLines++;
            case DROPPED -> droppedByReason.merge(verdict.reason(), 1L, Long::sum);
            case UNPARSABLE -> {
                unparsable++;
                if (examples.size() < MAX_EXAMPLES) {
                    String text = Printable.shortened(bytes, from, to);
                    examples.add(new ReadReport.BadLine(file, line, verdict.reason(), text));
                }
            }
        }
    }

    long lines() {
        return lines;
    }

    /** A file that could not be read to its end. */
    void damage(String damage) {
        damages.add(damage);
    }

    ReadReport report(String format, boolean formatWasFound, Intake intake) {
        Order order = intake.order();
        return new ReadReport(
                format,
                formatWasFound,
                lines,
                linesWithCalls,
                emptyLines,
                intake.calls(),
                intake.withoutDuration(),
                Map.copyOf(droppedByReason),
                unparsable,
                List.copyOf(examples),
                order.outOfOrder(),
                order.mostLateNanos(),
                order.jumps(),
                order.largestJumpNanos(),
                order.longestGapNanos(),
                intake.spreadLines(),
                intake.sampling().lost(),
                intake.sampling().hints(),
                intake.sampling().isPossible(),
                List.copyOf(damages));
    }
}
