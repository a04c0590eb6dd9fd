package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.TimeAdvice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** How many calls that succeeded outside of incidents took longer than a time, for all times; and where a timeout, a limit for slow calls and a hedged call would be. */
final class LatencyTail {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 62;
    private static final double RIGHT = 436;
    private static final double TOP = 78;
    private static final double BOTTOM = 262;
    private static final double RAREST = 1e-6;
    private static final double ROW = 16;

    private final String id;
    private final Histogram latencies;
    private final List<Mark> marks;

    /** A time that is good for something. */
    private record Mark(String key, String name, double nanos) {}

    private LatencyTail(String id, Histogram latencies, List<Mark> marks) {
        this.id = id;
        this.latencies = latencies;
        this.marks =
                marks.stream().sorted(Comparator.comparingDouble(Mark::nanos)).toList();
    }

    /** With marks at what would be recommended, and where the policies have theirs. */
    static LatencyTail of(ReplayResult result, Lineup lineup) {
        Histogram latencies = result.facts().load().latencies();
        TimeAdvice advice = new TimeAdvice(
                latencies,
                Optional.empty(),
                result.facts().slowAfterNanos().stream()
                        .mapToObj(Duration::ofNanos)
                        .findFirst());
        List<Mark> marks = marks(advice.hedge(0), advice.slowAfter(), advice.timeout());
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (entrant.result().spec() instanceof BreakerSpec spec) {
                spec.slowAfter()
                        .ifPresent(slow -> marks.add(new Mark(
                                "slow-" + entrant.tag(), entrant.tag() + " slow from", (double) slow.toNanos())));
            }
        }
        return new LatencyTail("latency", latencies, marks);
    }

    /** With marks at what is recommended. */
    static LatencyTail of(KeyTuning key, String place) {
        return new LatencyTail(
                "latency" + place, key.facts().load().latencies(), marks(key.hedge(), key.slowAfter(), key.timeout()));
    }

    private static List<Mark> marks(
            Recommendation<Duration> hedge, Recommendation<Duration> slowAfter, Recommendation<Duration> timeout) {
        List<Mark> marks = new ArrayList<>();
        hedge.value().ifPresent(time -> marks.add(new Mark("hedge", "hedge after", (double) time.toNanos())));
        slowAfter.value().ifPresent(time -> marks.add(new Mark("slow", "slow from", (double) time.toNanos())));
        timeout.value().ifPresent(time -> marks.add(new Mark("timeout", "timeout", (double) time.toNanos())));
        return marks;
    }

    /** Whether the log tells of durations at all, and they differ. */
    boolean canDraw() {
        return latencies.getTotalCount() > 1 && latencies.getMaxValue() > 1;
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
                "Share of healthy calls that took longer",
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
