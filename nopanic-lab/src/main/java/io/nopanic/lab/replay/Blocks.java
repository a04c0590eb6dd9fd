package io.nopanic.lab.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * Time cut into the pieces that the bootstrap draws: one per incident, from its beginning until {@value #AFTERMATH_NANOS} ns after its end or until
 * the next begins, and the time between in hours, or in longer pieces if there were more than {@value #MAX_HEALTHY}.
 */
final class Blocks {

    static final long AFTERMATH_NANOS = 120_000_000_000L;

    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final int MAX_HEALTHY = 2_000;

    private final long[] startNanos;
    private final boolean[] incident;

    Blocks(Span whole, List<Span> incidents) {
        long pieceNanos = Math.max(HOUR_NANOS, whole.lengthNanos() / MAX_HEALTHY);
        List<Long> starts = new ArrayList<>();
        List<Boolean> kinds = new ArrayList<>();
        long atNanos = whole.startNanos();
        for (int i = 0; i < incidents.size(); i++) {
            Span span = incidents.get(i);
            addHealthy(starts, kinds, new Span(atNanos, Math.max(atNanos, span.startNanos())), pieceNanos);
            starts.add(Math.max(atNanos, span.startNanos()));
            kinds.add(true);
            long nextNanos = i + 1 < incidents.size() ? incidents.get(i + 1).startNanos() : Long.MAX_VALUE;
            atNanos = Math.min(nextNanos, span.endNanos() + AFTERMATH_NANOS);
        }
        addHealthy(starts, kinds, new Span(atNanos, Math.max(atNanos, whole.endNanos())), pieceNanos);
        if (starts.isEmpty()) {
            starts.add(whole.startNanos());
            kinds.add(false);
        }
        startNanos = starts.stream().mapToLong(Long::longValue).toArray();
        incident = new boolean[kinds.size()];
        for (int i = 0; i < incident.length; i++) {
            incident[i] = kinds.get(i);
        }
    }

    private static void addHealthy(List<Long> starts, List<Boolean> kinds, Span span, long pieceNanos) {
        for (long at = span.startNanos(); at < span.endNanos(); at += pieceNanos) {
            starts.add(at);
            kinds.add(false);
        }
    }

    int count() {
        return startNanos.length;
    }

    boolean isIncident(int block) {
        return incident[block];
    }

    long startNanos(int block) {
        return startNanos[block];
    }
}
