package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stops calling a dependency that fails, and finds out by itself when to call it again. One per dependency, shared by all who call it;
 * thread-safe.
 *
 * <ul>
 *   <li><b>Closed:</b> calls pass and their outcomes are remembered. When the trip rule has seen enough, it opens.
 *   <li><b>Open:</b> calls are refused with {@link CircuitOpenException}. When the open time is over, the next call or look makes it
 *       half-open.
 *   <li><b>Half-open:</b> a few calls pass as probes. Their outcomes close it or open it again.
 * </ul>
 *
 * <p>There is one variable, the current {@link State}. An admitted call carries the state's generation in its permit; an outcome that
 * comes back under another generation is late, is counted as such, and changes nothing. Every transition replaces the state by one
 * compare-and-set, so of all who see a reason for it one makes it.
 *
 * <p>On the healthy path a call costs one read to enter, and one or a few atomic adds when it is recorded; a time window adds a clock
 * reading. Nothing is allocated but a bucket of about 1 kB when a time window moves on, no lock is taken, and the memory is constant, whatever the traffic.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code state}</td><td>whoever makes a transition, or sends or settles a probe; by compare-and-set, and for transitions under {@code transitions}</td></tr>
 * </table>
 */
public final class CircuitBreaker extends PolicyBase implements Admission {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(CircuitBreaker.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CircuitBreakerSettings settings;
    private final Endings endings;
    private final Time time;
    private final boolean watchesCallsInFlight;
    private final boolean readsClockForGoodEnds;
    private final boolean readsClockForBadEnds;
    private final LongAdder late = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private final OpeningDraw.Source draws;

    /** Held only while a transition is made and its event put in line, so that events tell the transitions in their order. */
    private final ReentrantLock transitions = new ReentrantLock();

    private volatile State state;

    CircuitBreaker(CircuitBreakerBuilder builder, CircuitBreakerSettings settings) {
        super(builder);
        this.settings = settings;
        draws = new OpeningDraw.Source(settings.random());
        TripRule.Timing timing = settings.tripRule().timing();
        watchesCallsInFlight = timing == TripRule.Timing.OF_CALLS;
        readsClockForGoodEnds = timing == TripRule.Timing.OF_ENDS;
        readsClockForBadEnds = readsClockForGoodEnds || timing == TripRule.Timing.OF_FAILURES;
        endings = new Endings(settings.classifier(), watchesCallsInFlight ? settings.slowLimit() : SlowLimit.NONE);
        time = timeOrSystem();
        long nowNanos = time.nanos();
        state = new Closed(0, nowNanos, settings.tripRule().begin(nowNanos), false, null);
    }

    /** A builder; every setting has a default. */
    public static CircuitBreakerBuilder builder() {
        return new CircuitBreakerBuilder();
    }

    /**
     * A builder of a breaker without thresholds to tune: it opens on evidence and probes after a number of refused calls. The one thing worth
     * saying is {@link CircuitBreakerBuilder#failureCost}, 1 by default. Short for
     * {@code builder().failureCost(1).quadraticProbing().openJitter(0.2)}.
     */
    public static CircuitBreakerBuilder adaptive() {
        return builder().failureCost(1).quadraticProbing().openJitter(0.2);
    }

    /** A breaker with all defaults: half of at least 5 calls in 30 s failed, open 30 s, one probe. */
    public static CircuitBreaker withDefaults(String name) {
        return builder().name(name).build();
    }

    // ---------------- admission

    @Override
    public Optional<Time> time() {
        return Optional.of(time);
    }

    @Override
    public String describe() {
        return settings.describe();
    }

    @Override
    public boolean judgesOutcomes() {
        return true;
    }

    @Override
    public int hangingCallsToOpen() {
        return settings.tripRule().hangingCallsToOpen();
    }

    @Override
    public boolean readsTimeOnEntry() {
        return watchesCallsInFlight;
    }

    @Override
    public boolean readsTimeOnSettle() {
        return watchesCallsInFlight;
    }

    @Override
    public long tryAcquire(long nowNanos) {
        if (!(state instanceof Closed closed)) {
            return NOT_NOW;
        }
        if (watchesCallsInFlight) {
            int stripe = InFlight.stripe();
            if (closed.enter(stripe, nowNanos)) {
                trip(closed, null, nowNanos);
                return NOT_NOW;
            }
            return closed.permit(stripe);
        }
        if (readsClockForGoodEnds && nowNanos != UNREAD_NANOS) {
            closed.memory.advance(nowNanos);
        }
        return closed.permit;
    }

    @Override
    public Entry enter(EntryRequest request) {
        long nowNanos = request.nowNanos();
        for (; ; ) {
            State seen = stateAt(nowNanos);
            if (seen instanceof Closed closed) {
                long permit = tryAcquire(nowNanos);
                if (permit >= 0) {
                    return closed.admitted(permit, nowNanos);
                }
            } else if (seen instanceof HalfOpen halfOpen && halfOpen.hasRoom()) {
                HalfOpen next = halfOpen.withProbe(nowNanos);
                Entry admitted = new Entry.Admitted(next.newestPermit());
                if (STATE.compareAndSet(this, seen, next)) {
                    return admitted;
                }
            } else {
                return new Entry.Refused(refuse(seen, request));
            }
        }
    }

    private CircuitOpenException refuse(State seen, EntryRequest request) {
        long nowNanos = request.nowNanos();
        refused.increment();
        long retryAfterNanos = CircuitOpenException.unknown();
        if (seen instanceof HalfOpen halfOpen) {
            halfOpen.outage.refusals().increment();
        } else if (seen instanceof Open open) {
            open.outage.refusals().increment();
            retryAfterNanos = Math.max(0, open.remainingNanos(nowNanos));
        }
        if (events().isListenedTo()) {
            events().publish(new Event.BreakerRefused(stamp(nowNanos), seen.visible(), retryAfterNanos));
        }
        return new CircuitOpenException(
                name(), request.pipeline(), seen.visible(), retryAfterNanos, seen.lastFailure());
    }

    // ---------------- outcomes

    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        Ending ending = endings.of(result, error, startNanos, nowNanos);
        if (state instanceof Closed closed && closed.gave(permit)) {
            long countsAtNanos = mustReadClock(ending, nowNanos) ? time.nanos() : nowNanos;
            if (closed.record(ending, permit, startNanos, countsAtNanos)) {
                trip(closed, error, readsClockForBadEnds ? countsAtNanos : exactNanos(nowNanos));
            }
        } else {
            settleProbe(permit, ending, error, exactNanos(nowNanos));
        }
        return null;
    }

    /** Whether an outcome needs a reading of its own: one that may trip counts when it ended, a good one when the clock was last read for this breaker, if it was. */
    private boolean mustReadClock(Ending ending, long nowNanos) {
        return ending.isBad() ? readsClockForBadEnds : readsClockForGoodEnds && nowNanos == UNREAD_NANOS;
    }

    private long exactNanos(long nowNanos) {
        return watchesCallsInFlight ? nowNanos : time.nanos();
    }

    private void settleProbe(long permit, Ending ending, @Nullable Throwable error, long nowNanos) {
        OpeningDraw draw = ending.isBad() ? draws.draw(error) : OpeningDraw.NONE;
        Throwable failure = ending.isFailed() ? unwrapped(error) : null;
        for (; ; ) {
            State seen = stateAt(nowNanos);
            if (!(seen instanceof HalfOpen halfOpen) || !halfOpen.gave(permit) || !halfOpen.isOut(permit)) {
                late(ending, nowNanos);
                return;
            }
            if (advance(halfOpen, halfOpen.without(permit, ending, failure), draw, nowNanos)) {
                return;
            }
        }
    }

    private void late(Ending ending, long nowNanos) {
        late.increment();
        if (events().isListenedTo()) {
            events().publish(new Event.BreakerLateOutcome(stamp(nowNanos), ending.isFailed()));
        }
    }

    // ---------------- transitions

    /** The current state, after the transitions that are due by time alone. */
    private State stateAt(long nowNanos) {
        for (; ; ) {
            State seen = state;
            if (seen instanceof Open open && open.isOver(nowNanos)) {
                move(
                        open,
                        new HalfOpen(open.generation + 1, nowNanos, settings.probing(), open.outage),
                        open.counts(nowNanos),
                        nowNanos);
            } else if (seen instanceof HalfOpen halfOpen && halfOpen.at(nowNanos) != halfOpen) {
                advance(halfOpen, halfOpen.at(nowNanos), draws.draw(null), nowNanos);
            } else {
                return seen;
            }
        }
    }

    private void trip(Closed closed, @Nullable Throwable error, long nowNanos) {
        Counts counts = closed.counts(nowNanos);
        Outage outage = Outage.begin(nowNanos, unwrapped(error));
        move(closed, open(closed.generation + 1, outage, counts, draws.draw(error), nowNanos), counts, nowNanos);
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable error) {
        return error == null ? null : Failures.unwrap(error);
    }

    private Open open(long generation, Outage outage, Counts counts, OpeningDraw draw, long nowNanos) {
        return new Open(generation, nowNanos, settings.openSchedule().open(outage, draw), outage, counts);
    }

    /** From half-open to half-open with other probes, or to what these add up to; {@code false} if somebody was quicker. */
    private boolean advance(HalfOpen from, HalfOpen to, OpeningDraw draw, long nowNanos) {
        Counts counts = to.counts(nowNanos);
        long next = from.generation + 1;
        State then = switch (to.verdict()) {
            case PENDING -> to;
            case CLOSE -> closed(next, false, to.lastFailure(), nowNanos);
            case OPEN -> open(next, to.outage.afterFailedProbing(), counts, draw, nowNanos);
        };
        boolean moved = move(from, then, counts, nowNanos);
        if (moved && then instanceof Closed) {
            settings.tripRule().recovered(from.outage.refused(), nowNanos - from.outage.sinceNanos());
        }
        return moved;
    }

    private Closed closed(long generation, boolean forced, @Nullable Throwable lastFailure, long nowNanos) {
        return new Closed(generation, nowNanos, settings.tripRule().begin(nowNanos), forced, lastFailure);
    }

    /**
     * Makes a transition and tells of it.
     *
     * @param counts what led to it
     * @return {@code false} if somebody was quicker
     */
    private boolean move(State from, State to, Counts counts, long nowNanos) {
        boolean deliver = false;
        transitions.lock();
        try {
            if (!STATE.compareAndSet(this, from, to)) {
                return false;
            }
            if (from.visible() != to.visible() && events().isListenedTo()) {
                deliver = events().enqueue(new Event.BreakerStateChanged(
                        stamp(nowNanos), to.generation, from.visible(), to.visible(), counts, to.lastFailure()));
            }
        } finally {
            transitions.unlock();
        }
        if (deliver) {
            events().deliver();
        }
        return true;
    }

    // ---------------- by hand

    /** Opens the breaker until told otherwise. Does nothing if it is forced open already. */
    public void forceOpen() {
        long nowNanos = time.nanos();
        force(seen -> seen instanceof ForcedOpen ? null : new ForcedOpen(seen, nowNanos), nowNanos);
    }

    /**
     * Lets every call pass until told otherwise, and counts: a dry run. Begins with an empty memory; calls in flight are late. Does nothing if it is
     * forced closed already.
     */
    public void forceClosed() {
        long nowNanos = time.nanos();
        force(
                seen -> seen instanceof Closed closed && closed.forced
                        ? null
                        : closed(seen.generation + 1, true, seen.failureToHandOn(), nowNanos),
                nowNanos);
    }

    /** Closes the breaker, whatever its state, with an empty memory. Calls in flight are late. */
    public void reset() {
        long nowNanos = time.nanos();
        force(seen -> closed(seen.generation + 1, false, seen.failureToHandOn(), nowNanos), nowNanos);
    }

    private void force(Function<State, @Nullable State> transition, long nowNanos) {
        State seen;
        State next;
        do {
            seen = state;
            next = transition.apply(seen);
        } while (next != null && !move(seen, next, seen.counts(nowNanos), nowNanos));
    }

    // ---------------- looking

    /** What is known to go wrong with these settings at the {@linkplain CircuitBreakerBuilder#expectedRate expected} traffic, in words; empty if nothing is. */
    public List<String> warnings() {
        return settings.warnings();
    }

    /** The state now. Agrees with the clock: a breaker whose open time is over is half-open, whether or not a call has come. */
    public CircuitState state() {
        return stateAt(time.nanos()).visible();
    }

    /** One reading of everything. Costs a walk over the window's buckets. */
    public CircuitSnapshot snapshot() {
        long nowNanos = time.nanos();
        State seen = stateAt(nowNanos);
        OptionalLong inFlight = OptionalLong.empty();
        Optional<Duration> retryAfter = Optional.empty();
        if (seen instanceof Closed closed && closed.memory.inFlight() >= 0) {
            inFlight = OptionalLong.of(closed.memory.inFlight());
        } else if (seen instanceof HalfOpen halfOpen) {
            inFlight = OptionalLong.of(halfOpen.probesOut());
        } else if (seen instanceof Open open) {
            retryAfter = Optional.of(Nanos.toDuration(Math.max(0, open.remainingNanos(nowNanos))));
        }
        return new CircuitSnapshot(
                name(),
                seen.visible(),
                time.wallTime().minusNanos(nowNanos - seen.sinceNanos),
                seen.counts(nowNanos),
                inFlight,
                settings.slowAfter(),
                late.sum(),
                refused.sum(),
                retryAfter,
                Optional.ofNullable(seen.lastFailure()));
    }
}
