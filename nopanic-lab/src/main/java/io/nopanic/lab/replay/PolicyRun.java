package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lets the breakers of one policy decide about the calls of a log, and counts. The breakers are those that run in production, driven as the engine drives
 * them: asked when a call begins, told when it ends. Not thread-safe.
 *
 * <p>A call that is let in ends as the log has it. A call that is refused is counted as what it would have been.
 */
final class PolicyRun {

    private static final String PIPELINE = "replay";
    private static final Waiter NOBODY = () -> {};
    private static final String RANDOM = "L64X128MixRandom";
    private static final long SEED = 7;

    private final PolicySpec spec;
    private final Incidents incidents;
    private final RecordedErrors errors = new RecordedErrors();
    private final ReplayClock clock = new ReplayClock();
    private final InFlightCalls inFlight = new InFlightCalls();
    private final @Nullable KeyBreaker[] breakers;
    private final RandomGenerator jitter = RandomGeneratorFactory.of(RANDOM).create(SEED);
    private final Responses responses;
    private final StateTimeline timeline;
    private final long[] wronglyRefused;
    private final long[] failuresSent;
    private final long[] incidentFailuresSent;

    PolicyRun(PolicySpec spec, Incidents incidents, int keys, int blockCount, StateTimeline timeline) {
        this.spec = spec;
        this.incidents = incidents;
        this.timeline = timeline;
        breakers = new KeyBreaker[keys];
        responses = new Responses(incidents.count());
        wronglyRefused = new long[blockCount];
        failuresSent = new long[blockCount];
        incidentFailuresSent = new long[blockCount];
    }

    /** A call begins. Those that end before are ended first. */
    void offer(CallCursor call, int incident, int block) {
        long nowNanos = call.startNanos();
        endCallsUntil(nowNanos);
        clock.set(nowNanos);
        KeyBreaker at = breaker(call.key());
        at.begin(incident);
        at.counters.calls++;
        Ending ending = call.ending();
        if (ending.isFailed()) {
            at.counters.failures++;
        }
        long durationNanos = Math.max(0, call.durationNanos());
        long permit = at.breaker.tryAcquire(nowNanos);
        if (permit < 0) {
            permit = enterOpen(at, nowNanos, ending);
        }
        if (permit < 0) {
            refused(at, block, ending, durationNanos);
        } else {
            sent(at, block, ending);
            if (durationNanos == 0) {
                end(at, permit, nowNanos, nowNanos, ending);
            } else {
                inFlight.add(nowNanos, nowNanos + durationNanos, permit, call.key(), ending);
            }
        }
    }

    private KeyBreaker breaker(int key) {
        KeyBreaker known = breakers[key];
        if (known != null) {
            return known;
        }
        KeyBreaker made =
                new KeyBreaker(spec.build(spec.name(), clock.time(), jitter), key, incidents, responses, timeline);
        breakers[key] = made;
        return made;
    }

    /** The breaker is not closed, or no longer; maybe it has a place for a probe. */
    private long enterOpen(KeyBreaker at, long nowNanos, Ending ending) {
        Entry entry = at.breaker.enter(new EntryRequest(PIPELINE, nowNanos, 0, NOBODY));
        if (entry instanceof Entry.Admitted admitted) {
            at.look(nowNanos, nowNanos);
            at.probe(ending);
            return admitted.permit();
        }
        if (!at.isOpen()) {
            at.look(nowNanos, nowNanos);
        }
        return Admission.NOT_NOW;
    }

    private void refused(KeyBreaker at, int block, Ending ending, long durationNanos) {
        at.counters.refused++;
        if (ending.isFailed()) {
            at.counters.saved++;
            at.counters.savedNanos += durationNanos;
        } else if (ending == Ending.SUCCESS) {
            at.counters.wronglyRefused++;
            wronglyRefused[block]++;
        }
    }

    private void sent(KeyBreaker at, int block, Ending ending) {
        if (!ending.isFailed()) {
            return;
        }
        at.counters.failuresSent++;
        failuresSent[block]++;
        if (at.isInIncident()) {
            at.counters.incidentFailuresSent++;
            incidentFailuresSent[block]++;
        }
    }

    private void endCallsUntil(long nowNanos) {
        while (inFlight.nextEndNanos() <= nowNanos) {
            long endNanos = inFlight.nextEndNanos();
            long startNanos = inFlight.nextStartNanos();
            long permit = inFlight.nextPermit();
            KeyBreaker at = breaker(inFlight.nextKey());
            Ending ending = inFlight.nextEnding();
            inFlight.remove();
            clock.set(endNanos);
            end(at, permit, startNanos, endNanos, ending);
        }
    }

    private void end(KeyBreaker at, long permit, long startNanos, long nowNanos, Ending ending) {
        at.breaker.settle(permit, startNanos, nowNanos, null, errors.of(ending));
        at.look(nowNanos, startNanos);
    }

    /** The log is over at this time. Calls still in flight end when they do, and may open a breaker then; but how long it is open is counted until this time only. */
    void finish(long nowNanos) {
        endCallsUntil(nowNanos);
        for (KeyBreaker each : breakers) {
            if (each != null) {
                each.end(nowNanos);
            }
        }
        endCallsUntil(Long.MAX_VALUE - 1);
    }

    PolicyResult result() {
        List<Tally> tallies = Arrays.stream(breakers)
                .map(each -> each == null ? Tally.NONE : each.counters.toTally())
                .toList();
        return new PolicyResult(
                spec,
                tallies,
                responses,
                timeline,
                new PolicyResult.Costs(
                        new BlockCosts(wronglyRefused, failuresSent),
                        new BlockCosts(wronglyRefused, incidentFailuresSent)));
    }
}
