package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.setup.BreakerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** How many successful calls took longer than a time, for all times; and where a timeout, a limit for slow calls and a hedged call would be. */
final class LatencyTail {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 62;
    private static final double RIGHT = 436;
    private static final double TOP = 78;
    private static final double BOTTOM = 262;
    private static final double RAREST = 1e-6;
    private static final double ROW = 16;
    private static final double MILLI_NANOS = 1e6;

    private final String id;
    private final String calls;
    private final Histogram latencies;
    private final List<Mark> marks;

    /** A time that is good for something. */
    record Mark(String key, String name, double nanos) {}

    /**
     * A picture.
     *
     * @param calls which they are, in words
     * @param latencies how long those took
     */
    LatencyTail(String id, String calls, Histogram latencies, List<Mark> marks) {
        this.id = id;
        this.calls = calls;
        this.latencies = latencies;
        this.marks =
                marks.stream().sorted(Comparator.comparingDouble(Mark::nanos)).toList();
    }

    /** Of all successful calls, with marks by rules of thumb and those of the policies. */
    static LatencyTail of(ReplayResult result, Lineup lineup) {
        Histogram latencies = result.facts().latencies();
        return new LatencyTail("latency", "successful calls", latencies, marks(latencies, lineup));
    }

    /** Whether the log tells of durations at all, and they differ. */
    boolean canDraw() {
        return latencies.getTotalCount() > 1 && latencies.getMaxValue() > 1;
    }

    /** A timeout of twice what 99.9 % stay below; slow from the most of 4 times what 99 % stay below and 100 ms on, but at half the timeout; a hedge when 95 % are back. */
    private static List<Mark> marks(Histogram latencies, Lineup lineup) {
        double timeoutNanos = 2.0 * latencies.getValueAtPercentile(99.9);
        double slowNanos =
                Math.min(timeoutNanos / 2, Math.max(4.0 * latencies.getValueAtPercentile(99), 100 * MILLI_NANOS));
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark("hedge", "hedge", (double) latencies.getValueAtPercentile(95)));
        marks.add(new Mark("slow", "slow from", slowNanos));
        marks.add(new Mark("timeout", "timeout", timeoutNanos));
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (entrant.result().spec() instanceof BreakerSpec spec) {
                spec.slowAfter()
                        .ifPresent(slow -> marks.add(new Mark(
                                "slow-" + entrant.tag(), entrant.tag() + " slow from", (double) slow.toNanos())));
            }
        }
        return marks;
    }

    void write(Markup markup) {
        double rarest = Math.max(RAREST, 0.5 / latencies.getTotalCount());
        double least =
                Math.max(1, Math.max((double) latencies.getMinNonZeroValue(), latencies.getValueAtPercentile(1) / 2.0));
        double most = marks.stream().mapToDouble(Mark::nanos).reduce((double) latencies.getMaxValue(), Math::max) * 1.1;
        Scale x = Scale.log(least, most, LEFT, RIGHT);
        Scale y = Scale.log(rarest, 1, BOTTOM, TOP);
        Picture picture = Picture.open(
                markup,
                id,
                WIDTH,
                HEIGHT,
                "Share of " + calls + " that took longer",
                "Median " + Numbers.time(latencies.getValueAtPercentile(50)) + ", 99 % below "
                        + Numbers.time(latencies.getValueAtPercentile(99)) + ", the longest "
                        + Numbers.time(latencies.getMaxValue()) + ".");
        picture.yAxis(y, LEFT, RIGHT, 7, Numbers::percent);
        picture.xAxis(x, TOP, BOTTOM, 5, Numbers::time);
        picture.text("tick middle", (LEFT + RIGHT) / 2, BOTTOM + 34, "took longer than");
        curve(markup, x, y);
        marks(markup, picture, x);
        picture.close();
    }

    private void curve(Markup markup, Scale x, Scale y) {
        StringBuilder path = new StringBuilder("M").append(at(LEFT)).append(' ').append(at(TOP));
        String before = "";
        double total = latencies.getTotalCount();
        for (HistogramIterationValue value : latencies.recordedValues()) {
            double longer = 1 - value.getTotalCountToThisValue() / total;
            String step = "H" + at(x.at(Math.max(x.from(), (double) value.getValueIteratedTo()))) + "V"
                    + at(y.at(Math.max(y.from(), longer)));
            if (!step.equals(before)) {
                path.append(step);
            }
            before = step;
        }
        markup.leaf(
                "path",
                "class",
                "line first",
                "data-calls",
                String.valueOf(latencies.getTotalCount()),
                "d",
                path.toString());
    }

    /** Each label in a row of its own, beside its line on the side where there is room. */
    private void marks(Markup markup, Picture picture, Scale x) {
        double gap = Math.min(ROW, (TOP - 14) / marks.size());
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            double at = x.at(mark.nanos);
            double row = 14 + i * gap;
            boolean atLeft = at > (LEFT + RIGHT) / 2;
            markup.open("g", "data-mark", mark.key, "data-nanos", Markup.exact(mark.nanos));
            picture.line("mark", at, row - 9, at, BOTTOM);
            picture.text(
                    atLeft ? "label end halo" : "label halo",
                    at + (atLeft ? -5 : 5),
                    row,
                    mark.name + " " + Numbers.time(mark.nanos));
            markup.close();
        }
    }
}
