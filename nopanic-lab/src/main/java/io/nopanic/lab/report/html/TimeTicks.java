package io.nopanic.lab.report.html;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Round moments to mark on an axis of time, and how to call them; in UTC. */
final class TimeTicks {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long MINUTE_NANOS = 60 * SECOND_NANOS;
    private static final long HOUR_NANOS = 60 * MINUTE_NANOS;
    private static final long DAY_NANOS = 24 * HOUR_NANOS;
    private static final long[] MILLIS = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    private static final long[] SIXTIETHS = {1, 2, 5, 10, 15, 30};
    private static final long[] HOURS = {1, 2, 3, 6, 12};
    private static final long[] DAYS = {1, 2, 7, 14, 28, 91, 182, 365};

    private TimeTicks() {}

    /**
     * A moment to mark.
     *
     * @param nanos since 1970
     */
    record Tick(long nanos, String label) {}

    /** At most so many, for what lies between two moments. */
    static List<Tick> between(long fromNanos, long toNanos, int most) {
        long stepNanos = step((toNanos - fromNanos) / most);
        DateTimeFormatter format =
                DateTimeFormatter.ofPattern(pattern(stepNanos), Locale.ENGLISH).withZone(ZoneOffset.UTC);
        List<Tick> ticks = new ArrayList<>();
        long nanos = Math.floorDiv(fromNanos + stepNanos - 1, stepNanos) * stepNanos;
        for (; nanos <= toNanos && ticks.size() <= most; nanos += stepNanos) {
            Instant moment =
                    Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND_NANOS), Math.floorMod(nanos, SECOND_NANOS));
            ticks.add(new Tick(nanos, format.format(moment)));
        }
        return ticks;
    }

    private static String pattern(long stepNanos) {
        if (stepNanos >= DAY_NANOS) {
            return "d MMM";
        }
        if (stepNanos >= HOUR_NANOS) {
            return "d MMM HH:mm";
        }
        return stepNanos >= MINUTE_NANOS ? "HH:mm" : stepNanos >= SECOND_NANOS ? "HH:mm:ss" : "HH:mm:ss.SSS";
    }

    private static long step(long leastNanos) {
        List<Long> steps = new ArrayList<>();
        add(steps, MILLIS, 1_000_000L);
        add(steps, SIXTIETHS, SECOND_NANOS);
        add(steps, SIXTIETHS, MINUTE_NANOS);
        add(steps, HOURS, HOUR_NANOS);
        add(steps, DAYS, DAY_NANOS);
        return steps.stream().filter(nanos -> nanos >= leastNanos).findFirst().orElse(Math.max(leastNanos, DAY_NANOS));
    }

    private static void add(List<Long> steps, long[] counts, long unitNanos) {
        for (long count : counts) {
            steps.add(count * unitNanos);
        }
    }
}
