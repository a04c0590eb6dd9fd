package io.nopanic.lab.traffic;

import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The incidents that go on, as time passes. Not thread-safe. */
final class ActiveIncidents {

    private final List<Incident> all;
    private final List<Course> active = new ArrayList<>();
    private int next;
    private long nextStartNanos;

    /**
     * What an incident does to a call.
     *
     * @param ending how the call ends; a success leaves that as it is
     * @param latency how long it takes; {@code null} leaves that as it is
     */
    record Hit(Ending ending, @Nullable Latency latency) {

        /** Both at once, this being the earlier: what it leaves as it is the later decides. */
        Hit over(Hit later) {
            return new Hit(ending == Ending.SUCCESS ? later.ending : ending, latency == null ? later.latency : latency);
        }
    }

    ActiveIncidents(List<Incident> byStart) {
        all = byStart;
        nextStartNanos = startNanos(0);
    }

    private long startNanos(int index) {
        return index < all.size() ? all.get(index).startNanos() : Long.MAX_VALUE;
    }

    /** What happens to a call that begins now, with each incident deciding by itself: it takes as long as the earliest says that says so, and ends as the earliest says that fails it. {@code null} if nothing does. Time does not go back. */
    @Nullable Hit hit(long nowNanos, Draws draws) {
        while (nowNanos >= nextStartNanos) {
            active.add(new Course(all.get(next++)));
            nextStartNanos = startNanos(next);
        }
        Hit hit = null;
        for (int i = active.size() - 1; i >= 0; i--) {
            Course course = active.get(i);
            if (nowNanos >= course.endNanos) {
                active.remove(i);
            } else if (course.hits(nowNanos, draws)) {
                hit = hit == null ? course.hit : course.hit.over(hit);
            }
        }
        return hit;
    }

    /** One incident on its way. */
    private static final class Course {

        private final Incident incident;
        private final Hit hit;
        private final long startNanos;
        private final long endNanos;
        private final long periodNanos;
        private final Runs runs;

        Course(Incident incident) {
            this.incident = incident;
            startNanos = incident.startNanos();
            endNanos = incident.endNanos();
            periodNanos = incident.details().period().toNanos();
            runs = new Runs(incident.severity(), incident.details().burstCalls());
            Ending ending = switch (incident.shape()) {
                case STEP, RAMP, FLAP, BURST -> Ending.FAILURE;
                case SLOW -> Ending.SUCCESS;
                case HANG -> Ending.TIMEOUT;
            };
            Latency byDefault = incident.shape() == Shape.HANG ? Incident.HANGING : null;
            hit = new Hit(ending, incident.latency().orElse(byDefault));
        }

        boolean hits(long nowNanos, Draws draws) {
            double severity = incident.severity();
            return switch (incident.shape()) {
                case STEP, SLOW, HANG -> draws.chance(severity);
                case RAMP -> draws.chance(severity * (nowNanos - startNanos) / (endNanos - startNanos));
                case FLAP -> (nowNanos - startNanos) % periodNanos < periodNanos / 2 && draws.chance(severity);
                case BURST -> runs.next(draws);
            };
        }
    }
}
