package io.nopanic.stress.model;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker that keeps a log of its calls and reads it whole for every question.
 *
 * <p>Two things are not what one would write first, because the implementation promises no more. A window of time forgets by whole buckets,
 * counted from the moment at which the breaker closed: an outcome counts while its bucket is one of the newest. And a call in flight is
 * overdue when the whole slice of time in which it began is, a 32nd of the slow-call time; for a rate only the first call of a slice looks for those.
 */
final class NaiveBreaker {

    private static final long MIN_SLICE_NANOS = 16_000;
    private static final int PLACES = 64;

    /** A call that was let in. */
    static final class Call {
        final long generation;
        final long startNanos;

        /** Whether it is known only that it began more than {@link #PLACES} slices ago, as its place is in use again. */
        boolean old;

        Call(long generation, long startNanos) {
            this.generation = generation;
            this.startNanos = startNanos;
        }
    }

    /** How a call ended. */
    record End(
            boolean judged,
            boolean failed,
            boolean timeout,
            long hintNanos,
            @Nullable Throwable error) {}

    private record Line(long nanos, boolean failed, boolean timeout, boolean slow) {}

    private final BreakerRules rules;
    final List<String> events = new ArrayList<>();
    CircuitState state = CircuitState.CLOSED;
    long generation;
    long sinceNanos;
    long late;
    long refused;

    /** The failure that opened it, or of a probe since. */
    @Nullable Throwable lastFailure;

    /** The failure that is about to open it. */
    private @Nullable Throwable tripping;

    /** While closed: what ended, and what runs. */
    private final List<Line> log = new ArrayList<>();

    private final List<NaiveScore.Entry> entries = new ArrayList<>();
    private NaiveOverdue overdueCalls = new NaiveOverdue();
    private final List<Call> running = new ArrayList<>();
    private long lastSlice = Long.MIN_VALUE;

    /** While half-open: the probes that are out, and what became of the others. */
    private final List<Call> probes = new ArrayList<>();

    private int succeeded;
    private int failed;

    private Counts countsAtTrip = Counts.NONE;

    /** While open. */
    private final NaiveOutage outage;

    /** So much evidence is enough, in thousandths of a success. */
    private long enough;

    private double learnedRate;
    int lessons;

    NaiveBreaker(BreakerRules rules, long nowNanos) {
        this.rules = rules;
        sinceNanos = nowNanos;
        outage = new NaiveOutage(rules.opening());
        BreakerRules.Evidence evidence = rules.evidence();
        if (evidence.used()) {
            enough = evidence.threshold() > 0
                    ? evidence.threshold()
                    : evidence.enoughAt(evidence.rate() > 0 ? evidence.rate() : 30);
        }
    }

    // ---------------- calls

    /** A call asks to be let in; {@code null} if it is refused. */
    @Nullable Call enter(long nowNanos) {
        if (!isClosed()) {
            look(nowNanos);
        }
        Call call = new Call(generation, nowNanos);
        if (isClosed()) {
            boolean proven = countOverdue(nowNanos) && evidenceReached();
            long now = slice(nowNanos);
            running.forEach(
                    each -> each.old |= slice(each.startNanos) != now && (now - slice(each.startNanos)) % PLACES == 0);
            running.add(call);
            boolean looks = rules.watchesSlowCalls() && now != lastSlice;
            lastSlice = now;
            boolean reached = looks && overdue(nowNanos) > 0 && ratesReached(nowNanos);
            if (!(reached || proven) || state != CircuitState.CLOSED) {
                return call;
            }
            outage.begin(nowNanos);
            open(0, counts(nowNanos), nowNanos);
        } else if (state == CircuitState.HALF_OPEN && hasRoom()) {
            probes.add(call);
            return call;
        }
        refused++;
        if (state != CircuitState.FORCED_OPEN) {
            outage.refused++;
        }
        events.add("refused " + state + " " + retryAfterNanos(nowNanos));
        return null;
    }

    void end(Call call, End end, long nowNanos) {
        boolean slow = rules.watchesSlowCalls() && nowNanos - call.startNanos >= rules.slowAfterNanos();
        if (isClosed() && call.generation == generation) {
            running.remove(call);
            if (end.judged) {
                log.add(new Line(nowNanos, end.failed, end.timeout, slow));
            }
            boolean isFailure = end.judged && end.failed;
            boolean hasCounted = watchesEvidence() && overdueCalls.leave(slice(call.startNanos));
            if (end.judged && !(end.failed && hasCounted)) {
                entries.add(new NaiveScore.Entry(
                        nowNanos, end.failed ? rules.evidence().costOf(slow || end.timeout) : 0));
            }
            if (isFailure) {
                countOverdue(nowNanos);
            }
            boolean bad = end.judged && (end.failed || slow);
            boolean reached = (bad && ratesReached(nowNanos)) || (isFailure && (runReached() || evidenceReached()));
            if (state == CircuitState.CLOSED && reached) {
                tripping = end.error;
                outage.begin(nowNanos);
                open(end.hintNanos, counts(nowNanos), nowNanos);
            }
            return;
        }
        look(nowNanos);
        if (state != CircuitState.HALF_OPEN || !probes.remove(call)) {
            late++;
            events.add("late " + end.failed);
            return;
        }
        boolean bad = end.failed || (slow && rules.slowProbeIsFailed());
        failed += end.judged && bad ? 1 : 0;
        succeeded += end.judged && !bad ? 1 : 0;
        if (end.failed && end.error != null) {
            lastFailure = end.error;
        }
        verdict(end.hintNanos, nowNanos);
    }

    // ---------------- the rule

    private List<Line> window(long nowNanos) {
        if (!rules.rates().used()) {
            return log.subList(log.size() - run(), log.size());
        }
        int calls = rules.window().calls();
        if (calls > 0) {
            return log.subList(Math.max(0, log.size() - calls), log.size());
        }
        return log.stream()
                .filter(line ->
                        bucket(nowNanos) - bucket(line.nanos) < rules.window().buckets())
                .toList();
    }

    private long bucket(long nanos) {
        return (nanos - sinceNanos)
                / Math.max(1, rules.window().nanos() / rules.window().buckets());
    }

    /** How many failures in a row there were last. */
    private int run() {
        int run = 0;
        while (run < log.size() && log.get(log.size() - 1 - run).failed) {
            run++;
        }
        return run;
    }

    private boolean runReached() {
        return rules.consecutive() > 0 && run() >= rules.consecutive();
    }

    private boolean ratesReached(long nowNanos) {
        Counts counts = counts(nowNanos);
        BreakerRules.Rates rates = rules.rates();
        return rates.used()
                && counts.calls() >= rates.minimumCalls()
                && (rates.failed().reachedBy(counts.failures(), counts.calls())
                        || rates.slow().reachedBy(counts.slow(), counts.calls())
                        || rates.failedOrSlow().reachedBy(counts.failedOrSlow(), counts.calls()));
    }

    private NaiveScore score() {
        return NaiveScore.of(entries, sinceNanos, enough);
    }

    private boolean evidenceReached() {
        return rules.evidence().used() && score().score() >= enough;
    }

    private boolean watchesEvidence() {
        return rules.evidence().used() && rules.watchesSlowCalls();
    }

    /** {@code true} if any overdue call counts now. */
    private boolean countOverdue(long nowNanos) {
        if (!watchesEvidence()) {
            return false;
        }
        List<Long> slices = running.stream()
                .map(call -> call.old ? Long.MIN_VALUE : slice(call.startNanos))
                .toList();
        long newest = slice(nowNanos - rules.slowAfterNanos());
        boolean counts = overdueCalls.oneMoreCounts(slices, newest, nowNanos - sinceNanos, sliceNanos());
        if (counts) {
            entries.add(new NaiveScore.Entry(nowNanos, rules.evidence().costOf(true)));
        }
        return counts;
    }

    private long overdue(long nowNanos) {
        long latest = slice(nowNanos - rules.slowAfterNanos());
        return rules.watchesSlowCalls()
                ? running.stream()
                        .filter(call -> slice(call.startNanos) < latest)
                        .count()
                : 0;
    }

    private long slice(long nanos) {
        return Math.floorDiv(nanos - sinceNanos, sliceNanos());
    }

    private long sliceNanos() {
        return Math.max(MIN_SLICE_NANOS, rules.slowAfterNanos() / 32);
    }

    // ---------------- transitions

    /** What is due by time alone happens now. */
    void look(long nowNanos) {
        if (state == CircuitState.OPEN && outage.isTimeToProbe(nowNanos - sinceNanos)) {
            move(CircuitState.HALF_OPEN, countsAtTrip, nowNanos);
        }
        if (state == CircuitState.HALF_OPEN) {
            int out = probes.size();
            probes.removeIf(
                    probe -> nowNanos - probe.startNanos >= rules.probing().timeoutNanos());
            failed += out - probes.size();
            if (out > probes.size()) {
                verdict(0, nowNanos);
            }
        }
    }

    private boolean hasRoom() {
        boolean othersWait = rules.probing().firstAlone() && succeeded == 0 && !probes.isEmpty();
        return !othersWait
                && probes.size() + succeeded + failed < rules.probing().probes();
    }

    private void verdict(long hintNanos, long nowNanos) {
        int all = rules.probing().probes();
        int toOpen = 1;
        while (rules.probing().failed().isOn() && !rules.probing().failed().reachedBy(toOpen, all)) {
            toOpen++;
        }
        if (failed >= toOpen) {
            outage.failedProbings++;
            open(hintNanos, counts(nowNanos), nowNanos);
        } else if (all - succeeded < toOpen) {
            move(CircuitState.CLOSED, counts(nowNanos), nowNanos);
            learn(nowNanos - outage.sinceNanos);
        }
    }

    private void learn(long outageNanos) {
        if (rules.evidence().used() && rules.evidence().learns() && outage.refused >= 20 && outageNanos > 0) {
            double shown = Math.min(1000, Math.max(1, outage.refused * 1e9 / outageNanos));
            learnedRate = learnedRate == 0 ? shown : Math.sqrt(learnedRate * shown);
            enough = rules.evidence().enoughAt(learnedRate);
            lessons++;
        }
    }

    private void open(long hintNanos, Counts counts, long nowNanos) {
        move(CircuitState.OPEN, counts, nowNanos);
        countsAtTrip = counts;
        outage.open(hintNanos);
    }

    void forceOpen(long nowNanos) {
        if (state != CircuitState.FORCED_OPEN) {
            move(CircuitState.FORCED_OPEN, counts(nowNanos), nowNanos);
        }
    }

    void forceClosed(long nowNanos) {
        if (state != CircuitState.FORCED_CLOSED) {
            move(CircuitState.FORCED_CLOSED, counts(nowNanos), nowNanos);
        }
    }

    void reset(long nowNanos) {
        move(CircuitState.CLOSED, counts(nowNanos), nowNanos);
    }

    private void move(CircuitState next, Counts counts, long nowNanos) {
        generation++;
        if (isClosed()) {
            lastFailure = tripping;
            tripping = null;
        }
        if (state != next) {
            events.add("changed " + generation + " " + state + " to " + next + " " + counts + " " + lastFailure);
        }
        state = next;
        sinceNanos = nowNanos;
        log.clear();
        entries.clear();
        overdueCalls = new NaiveOverdue();
        running.clear();
        lastSlice = Long.MIN_VALUE;
        probes.clear();
        succeeded = 0;
        failed = 0;
    }

    // ---------------- looking

    boolean isClosed() {
        return state == CircuitState.CLOSED || state == CircuitState.FORCED_CLOSED;
    }

    long retryAfterNanos(long nowNanos) {
        return state == CircuitState.OPEN ? outage.retryAfterNanos(nowNanos - sinceNanos) : -1;
    }

    /** Calls in flight, -1 if nobody asked to count them. */
    long inFlight() {
        if (state == CircuitState.HALF_OPEN) {
            return probes.size();
        }
        return isClosed() && rules.watchesSlowCalls() ? running.size() : -1;
    }

    /** How many outcomes were ever logged since the breaker closed. */
    int logged() {
        return log.size();
    }

    Counts counts(long nowNanos) {
        if (state == CircuitState.HALF_OPEN) {
            return new Counts(succeeded + failed, failed, 0, 0, failed);
        }
        if (!isClosed()) {
            return state == CircuitState.OPEN ? countsAtTrip : Counts.NONE;
        }
        if (rules.evidence().used()) {
            long hanging = overdue(nowNanos);
            long failures = score().failures();
            long all = Math.max(Math.max(hanging, failures), failures + hanging - overdueCalls.counted());
            return new Counts(all, failures, 0, hanging, all);
        }
        List<Line> window = window(nowNanos);
        long overdue = overdue(nowNanos);
        boolean runOnly = !rules.rates().used();
        return new Counts(
                window.size() + overdue,
                window.stream().filter(Line::failed).count(),
                runOnly ? 0 : window.stream().filter(Line::timeout).count(),
                window.stream().filter(Line::slow).count() + overdue,
                window.stream().filter(line -> line.failed || line.slow).count() + overdue);
    }
}
