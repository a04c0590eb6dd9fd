package io.nopanic.lab.report.html;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.replay.Span;
import java.util.ArrayList;
import java.util.List;

/** Single calls of a stretch of a log: all of them, or evenly every so many, so that there are not too many to draw. Not thread-safe while it is filled. */
final class Dots {

    private static final int MOST = 300;

    private final Span span;
    private final int key;
    private final Kind successes = new Kind();
    private final Kind failures = new Kind();

    /**
     * A call.
     *
     * @param durationNanos {@link CallCursor#UNKNOWN} if that is not known
     */
    record Dot(long startNanos, long durationNanos) {}

    /** Calls of one kind, thinned out by half whenever there are too many. */
    static final class Kind {

        private List<Dot> dots = new ArrayList<>();
        private long every = 1;
        private long seen;

        private void add(long startNanos, long durationNanos) {
            if (seen++ % every == 0) {
                dots.add(new Dot(startNanos, durationNanos));
                if (dots.size() > MOST) {
                    List<Dot> half = new ArrayList<>();
                    for (int i = 0; i < dots.size(); i += 2) {
                        half.add(dots.get(i));
                    }
                    dots = half;
                    every *= 2;
                }
            }
        }

        List<Dot> dots() {
            return dots;
        }

        /** One of so many is drawn. */
        long every() {
            return every;
        }
    }

    Dots(Span span, int key) {
        this.span = span;
        this.key = key;
    }

    /** Reads the log once and fills all of them. */
    static void fill(CallLog log, List<Dots> all) {
        long endNanos =
                all.stream().mapToLong(dots -> dots.span.endNanos()).max().orElse(Long.MIN_VALUE);
        try (CallCursor call = log.open()) {
            while (call.next() && call.startNanos() < endNanos) {
                for (Dots dots : all) {
                    dots.offer(call);
                }
            }
        }
    }

    private void offer(CallCursor call) {
        boolean within =
                call.key() == key && call.startNanos() >= span.startNanos() && call.startNanos() < span.endNanos();
        if (within && call.ending() != Ending.IGNORED) {
            (call.ending().isFailed() ? failures : successes).add(call.startNanos(), call.durationNanos());
        }
    }

    Span span() {
        return span;
    }

    Kind successes() {
        return successes;
    }

    Kind failures() {
        return failures;
    }

    /** The longest a drawn call took; 0 if none took any time, or that is not known. */
    long longestNanos() {
        return Math.max(longest(successes), longest(failures));
    }

    private static long longest(Kind kind) {
        return kind.dots.stream().mapToLong(Dot::durationNanos).max().orElse(0);
    }
}
