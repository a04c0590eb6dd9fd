package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few calls pass as probes; their outcomes decide. Immutable: a probe that goes out or comes back makes a new object of the same
 * generation.
 *
 * <p>A probe is a <b>lease</b> with a deadline. Three numbers never add up to more than the probes allowed before a verdict: those out, those
 * that succeeded, those that failed. A probe that comes back without an outcome gives its place to another; one that does not come back by
 * its deadline has failed. So the state always ends, whatever a probe does.
 */
final class HalfOpen extends State {

    private final Rules rules;
    private final Probes probes;

    final Outage outage;

    /**
     * The settings.
     *
     * @param probes how many probes are judged
     * @param firstAlone whether the others wait until one probe has succeeded
     * @param failureRate the share of failed probes at which the verdict is to open again; 0: any failure
     * @param slowIsFailed whether a slow probe is a failed one
     * @param probeTimeoutNanos how long a probe may be out
     */
    record Rules(int probes, boolean firstAlone, double failureRate, boolean slowIsFailed, long probeTimeoutNanos) {

        /** The fewest failures that mean: open again. */
        int failuresToOpen() {
            return Math.max(1, (int) Math.ceil(failureRate * probes - 1e-9));
        }
    }

    private record Lease(int number, long sinceNanos) {}

    private record Probes(List<Lease> out, int succeeded, int failed, int nextLease) {

        static final Probes NONE = new Probes(List.of(), 0, 0, 0);
    }

    /** What the probes so far add up to. */
    enum Verdict {
        PENDING,
        CLOSE,
        OPEN
    }

    HalfOpen(long generation, long sinceNanos, Rules rules, Outage outage) {
        this(generation, sinceNanos, rules, outage, Probes.NONE);
    }

    private HalfOpen(long generation, long sinceNanos, Rules rules, Outage outage, Probes probes) {
        super(generation, sinceNanos);
        this.rules = rules;
        this.outage = outage;
        this.probes = probes;
    }

    private HalfOpen with(Outage then, List<Lease> out, int succeeded, int failed, int nextLease) {
        return new HalfOpen(generation, sinceNanos, rules, then, new Probes(out, succeeded, failed, nextLease));
    }

    @Override
    CircuitState visible() {
        return CircuitState.HALF_OPEN;
    }

    @Override
    @Nullable Throwable lastFailure() {
        return outage.lastFailure();
    }

    @Override
    Counts counts(long nowNanos) {
        return new Counts(probes.succeeded + probes.failed, probes.failed, 0, 0, probes.failed);
    }

    int probesOut() {
        return probes.out.size();
    }

    boolean hasRoom() {
        if (rules.firstAlone && probes.succeeded == 0 && probesOut() > 0) {
            return false;
        }
        return probesOut() + probes.succeeded + probes.failed < rules.probes;
    }

    /** This with one more probe out; {@link #newestPermit()} of the result is its permit. */
    HalfOpen withProbe(long nowNanos) {
        List<Lease> more = new ArrayList<>(probes.out);
        more.add(new Lease(probes.nextLease, nowNanos));
        return with(outage, more, probes.succeeded, probes.failed, (probes.nextLease + 1) & MAX_LEASE);
    }

    long newestPermit() {
        return permit(probes.out.get(probesOut() - 1).number());
    }

    /** Whether this probe is still out, rather than expired or settled. */
    boolean isOut(long permit) {
        return probes.out.stream().anyMatch(lease -> lease.number() == lease(permit));
    }

    /** This after a probe that was out came back, by this failure if it failed. */
    HalfOpen without(long permit, Ending ending, @Nullable Throwable failure) {
        List<Lease> rest = probes.out.stream()
                .filter(lease -> lease.number() != lease(permit))
                .toList();
        boolean bad = ending.isFailed() || (ending.isSlow() && rules.slowIsFailed);
        int failed = ending.isJudged() && bad ? 1 : 0;
        int succeeded = ending.isJudged() && !bad ? 1 : 0;
        return with(
                outage.afterProbe(failure),
                rest,
                probes.succeeded + succeeded,
                probes.failed + failed,
                probes.nextLease);
    }

    /** This, or, if probes have been out for too long, what is left when they have failed. */
    HalfOpen at(long nowNanos) {
        if (probes.out.isEmpty() || nowNanos - probes.out.get(0).sinceNanos() < rules.probeTimeoutNanos) {
            return this; // the first is the oldest
        }
        List<Lease> rest = probes.out.stream()
                .filter(lease -> nowNanos - lease.sinceNanos() < rules.probeTimeoutNanos)
                .toList();
        int expired = probesOut() - rest.size();
        return expired == 0 ? this : with(outage, rest, probes.succeeded, probes.failed + expired, probes.nextLease);
    }

    Verdict verdict() {
        if (probes.failed >= rules.failuresToOpen()) {
            return Verdict.OPEN;
        }
        int toCome = rules.probes - probes.succeeded - probes.failed;
        return probes.failed + toCome < rules.failuresToOpen() ? Verdict.CLOSE : Verdict.PENDING;
    }
}
