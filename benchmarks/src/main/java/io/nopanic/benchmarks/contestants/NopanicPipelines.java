package io.nopanic.benchmarks.contestants;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.time.Time;
import java.util.List;
import java.util.function.Supplier;

/** nopanic itself, several policies around a call. */
final class NopanicPipelines {

    private static final String NAME = Nopanic.NAME;
    private static final String COARSE = Nopanic.COARSE;
    private static final String LEASED = Nopanic.LEASED;

    private NopanicPipelines() {}

    static List<Contestant> all() {
        Time exact = Clocks.exact();
        Supplier<Time> coarse = Clocks::coarse;
        return List.of(
                new Contestant(Group.PIPELINE, NAME, () -> three(exact, retry(exact))),
                new Contestant(Group.PIPELINE, COARSE, () -> three(coarse.get(), retry(coarse.get()))),
                new Contestant(Group.PIPELINE_FAILING, NAME, () -> three(exact, givingUp(exact))),
                new Contestant(Group.PIPELINE_FAILING, COARSE, () -> three(coarse.get(), givingUp(coarse.get()))),
                new Contestant(Group.PIPELINE_OPEN, NAME, () -> Opened.of(three(exact, givingUp(exact)))),
                new Contestant(
                        Group.PIPELINE_OPEN, COARSE, () -> Opened.of(three(coarse.get(), givingUp(coarse.get())))),
                new Contestant(Group.PIPELINE_FULL, NAME, () -> Occupied.of(full(exact))),
                new Contestant(Group.PIPELINE_BY_HAND, NAME, () -> byHand(exact)),
                new Contestant(Group.PIPELINE_BY_HAND, COARSE, () -> byHand(coarse.get())),
                new Contestant(Group.PIPELINE_LIMITED, NAME, () -> four(exact, Nopanic.plenty(exact))),
                new Contestant(Group.PIPELINE_LIMITED, "nopanic, leases", () -> four(exact, Nopanic.leased(exact))),
                new Contestant(Group.PIPELINE_LIMITED, COARSE, () -> four(coarse.get(), Nopanic.plenty(coarse.get()))),
                new Contestant(Group.PIPELINE_LIMITED, LEASED, () -> four(coarse.get(), Nopanic.leased(coarse.get()))),
                new Contestant(Group.PIPELINE_LIMITED_FAILING, NAME, () -> fourFailing(exact, Nopanic.plenty(exact))),
                new Contestant(
                        Group.PIPELINE_LIMITED_FAILING,
                        LEASED,
                        () -> fourFailing(coarse.get(), Nopanic.leased(coarse.get()))),
                new Contestant(
                        Group.PIPELINE_LIMITED_OPEN, NAME, () -> Opened.of(fourFailing(exact, Nopanic.plenty(exact)))),
                new Contestant(Group.STAGED_COMPLETE, NAME, () -> staged(exact, retry(exact))),
                new Contestant(Group.STAGED_COMPLETE, COARSE, () -> staged(coarse.get(), retry(coarse.get()))),
                new Contestant(Group.STAGED_PENDING, NAME, () -> staged(exact, retry(exact))),
                new Contestant(Group.STAGED_PENDING, COARSE, () -> staged(coarse.get(), retry(coarse.get()))),
                new Contestant(Group.STAGED_FAILING, NAME, () -> staged(exact, givingUp(exact))),
                new Contestant(Group.STAGED_FAILING, COARSE, () -> staged(coarse.get(), givingUp(coarse.get()))),
                new Contestant(Group.STAGED_OPEN, NAME, () -> Opened.staged(staged(exact, givingUp(exact)))));
    }

    private static Guard three(Time time, Retry retry) {
        return Nopanic.guard(retry, Nopanic.timeWindow(time), bulkhead(time));
    }

    private static Guard four(Time time, RateLimiter limiter) {
        return Nopanic.guard(retry(time), Nopanic.timeWindow(time), limiter, bulkhead(time));
    }

    /** With room for one call. */
    private static Guard full(Time time) {
        return Nopanic.guard(givingUp(time), Nopanic.timeWindow(time), Bulkhead.of(1));
    }

    private static Recorder byHand(Time time) {
        return Nopanic.byPermit(Nopanic.timeWindow(time), bulkhead(time));
    }

    private static Guard fourFailing(Time time, RateLimiter limiter) {
        return Nopanic.guard(givingUp(time), Nopanic.timeWindow(time), limiter, bulkhead(time));
    }

    /** Repeats calls, but not those that fail as they do here: every failure has to go all the way out. */
    private static Retry givingUp(Time time) {
        return Retry.builder()
                .time(time)
                .attempts(Settings.ATTEMPTS)
                .backoff(Backoff.none())
                .giveUpOn(Work.Failure.class)
                .build();
    }

    private static Retry retry(Time time) {
        return Retry.builder()
                .time(time)
                .attempts(Settings.ATTEMPTS)
                .backoff(Backoff.none())
                .build();
    }

    private static Bulkhead bulkhead(Time time) {
        return Bulkhead.builder().time(time).maxConcurrent(Settings.CONCURRENT).build();
    }

    private static StagedGuard staged(Time time, Retry retry) {
        return Pipeline.of(retry, Nopanic.timeWindow(time), Nopanic.plenty(time), bulkhead(time))::callAsync;
    }
}
