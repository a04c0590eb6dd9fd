package io.nopanic.lab.report.html;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Tally;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.setup.Probing;
import io.nopanic.lab.setup.Schedule;
import io.nopanic.lab.setup.Trip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleConsumer;

/**
 * What windows cost when breakers with them decide about the calls of the log. They probe as the first policy with a window does that the user wrote, else
 * after refused calls.
 */
final class ReplayedGrid implements WindowGrid {

    /** In a longer log it would take too long: each call is decided about by a breaker for each cell. */
    static final long MOST_CALLS = 300_000;

    private static final int MOST_KEYS = 100;
    private static final int MINIMUM_CALLS = 10;
    private static final double HALF_STEP = 0.05;

    private final List<Cell> cells = new ArrayList<>();
    private final double cost;
    private final Like like;
    private final Limit limit;

    /** What is the same in all cells. */
    private record Like(
            String words,
            int minimumCalls,
            boolean slowAsFailed,
            OptionalDouble slowCallRate,
            Schedule schedule,
            Probing probing,
            Optional<Duration> slowAfter) {

        BreakerSpec with(int window, double rate) {
            Trip.Rates trip = new Trip.Rates(
                    new Trip.Window.Calls(window),
                    Math.min(minimumCalls, window),
                    rate,
                    slowCallRate,
                    slowAsFailed ? OptionalDouble.of(rate) : OptionalDouble.empty());
            return new BreakerSpec(window + " calls, " + rate, trip, schedule, probing, slowAfter, List.of());
        }
    }

    private ReplayedGrid(ReplayResult replayed, Like like, double cost) {
        this.like = like;
        this.cost = cost;
        int keys = replayed.keys().size();
        limit = keys * replayed.days() < 1 ? Limit.NONE : Limit.oneADay(keys);
        int next = 0;
        for (int column = 0; column < WINDOWS.size(); column++) {
            for (double rate : RATES) {
                PolicyResult policy = replayed.policies().get(next++);
                Tally tally = policy.total();
                cells.add(new Cell(
                        column,
                        rate,
                        tally.trips() == 0 ? Double.NaN : tally.cost(cost),
                        tally.falseTrips() <= keys * replayed.days()));
            }
        }
    }

    /** Replays the log with all windows, unless that would take too long or somebody interrupts it. */
    static Optional<WindowGrid> of(ReplayResult result, Lineup lineup, CallLog log, DoubleConsumer progress) {
        if (log.size() > MOST_CALLS || log.keys().size() > MOST_KEYS) {
            return Optional.empty();
        }
        Like like = like(lineup);
        List<PolicySpec> specs = new ArrayList<>();
        for (int window : WINDOWS) {
            for (double rate : RATES) {
                specs.add(like.with(window, rate));
            }
        }
        try {
            ReplayResult replayed = Replay.runWithoutTimelines(log, result.survey(), specs, progress);
            return Optional.of(new ReplayedGrid(replayed, like, lineup.ranking().cost()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Like like(Lineup lineup) {
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (entrant.own()
                    && entrant.result().spec() instanceof BreakerSpec spec
                    && spec.trip() instanceof Trip.Rates rates) {
                return new Like(
                        "Minimum of calls, slow calls, open time and probes as in " + entrant.name(),
                        rates.minimumCalls(),
                        rates.failedOrSlowRate().isPresent(),
                        rates.slowCallRate(),
                        spec.schedule(),
                        spec.probing(),
                        spec.slowAfter());
            }
        }
        return new Like(
                "From " + MINIMUM_CALLS + " calls on, with probes after refused calls",
                MINIMUM_CALLS,
                false,
                OptionalDouble.empty(),
                new Schedule.Quadratic(Optional.empty(), 0),
                new Probing(1, false, OptionalDouble.empty(), Optional.empty()),
                Optional.empty());
    }

    @Override
    public List<Cell> cells() {
        return cells;
    }

    @Override
    public double limit(int column) {
        return cells.stream()
                        .filter(cell -> cell.column() == column && !cell.safe())
                        .mapToDouble(Cell::rate)
                        .max()
                        .orElse(0)
                + HALF_STEP;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public String text(double value) {
        return Numbers.digits(value);
    }

    @Override
    public String key() {
        return "cost";
    }

    @Override
    public String heading() {
        return "Cost per 10,000 calls, by window and threshold";
    }

    @Override
    public String sentence() {
        return "As replayed: what a count window costs per 10,000 calls of this log, with c = " + Numbers.digits(cost)
                + ". " + like.words() + ".";
    }

    @Override
    public String hatched() {
        return "did not open";
    }

    @Override
    public String best() {
        return "cheapest";
    }
}
