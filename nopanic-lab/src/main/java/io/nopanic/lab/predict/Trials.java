package io.nopanic.lab.predict;

import io.nopanic.lab.predict.VirtualBreaker.Fate;
import io.nopanic.lab.setup.BreakerSpec;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * Finds out by trying what has no closed form: runs of the production breaker, each with a seed of its own, until a budget of calls is used up.
 *
 * @param spec the breaker
 * @param callsPerSecond of a Poisson process
 * @param settlingCalls how many healthy calls it takes until the breaker's memory is what it is after long
 * @param effort how much to try
 */
record Trials(BreakerSpec spec, double callsPerSecond, int settlingCalls, Effort effort) {

    /** How often a breaker may open while it is to become settled before it is given up. */
    private static final int MOST_UNSETTLED = 100;

    /** With fewer runs than this a mean says little. */
    private static final int FEWEST_RUNS = 10;

    /**
     * How much to try.
     *
     * @param seed where all random numbers come from
     * @param runs how many runs at the most
     * @param calls how many calls in all runs together, about
     */
    record Effort(long seed, int runs, long calls) {}

    /** Whether the budget is enough for a few runs of so many calls each. */
    boolean canAfford(double callsPerRun) {
        return (settlingCalls + callsPerRun) * FEWEST_RUNS <= effort.calls;
    }

    /** A breaker with random numbers of its own: seeds are mixed, so that neighbouring ones have nothing in common. */
    private VirtualBreaker begin(long run) {
        long mixed = new SplittableRandom(effort.seed).nextLong();
        long ownSeed = new SplittableRandom(mixed + run).nextLong();
        return new VirtualBreaker(spec, callsPerSecond, new SplittableRandom(ownSeed));
    }

    /** A breaker that has been closed for long, or nothing if it does not stay so. */
    private Optional<VirtualBreaker> settled(long run, double healthy) {
        for (int attempt = 0; attempt < MOST_UNSETTLED; attempt++) {
            VirtualBreaker breaker = begin(run + (long) attempt * effort.runs);
            int calls = 0;
            while (calls < settlingCalls && isStillClosed(breaker, breaker.call(healthy))) {
                calls++;
            }
            if (calls == settlingCalls) {
                return Optional.of(breaker);
            }
        }
        return Optional.empty();
    }

    /** Only a failure opens. */
    private static boolean isStillClosed(VirtualBreaker breaker, Fate fate) {
        return fate == Fate.SUCCEEDED || (fate == Fate.FAILED && breaker.isClosed());
    }

    /** Mean calls from closing to a trip while the failure rate stays the same. */
    Sample callsToTrip(double failureRate) {
        long calls = 0;
        long trips = 0;
        Sample.Mean mean = new Sample.Mean();
        for (int run = 0; run < effort.runs && calls < effort.calls; run++) {
            VirtualBreaker breaker = begin(run);
            long before = calls;
            boolean closed = true;
            while (closed && calls < effort.calls) {
                calls++;
                closed = isStillClosed(breaker, breaker.call(failureRate));
            }
            if (!closed) {
                trips++;
                mean.add((double) (calls - before));
            }
        }
        return trips >= effort.runs ? mean.sample() : Sample.ofPoisson((double) calls, trips, Math.max(1, trips));
    }

    /** How often it opens within so many calls after it has closed. */
    Sample tripsWithin(int limit, double failureRate) {
        long trips = 0;
        long runs = Math.max(1, effort.calls / limit);
        for (long run = 0; run < runs; run++) {
            VirtualBreaker breaker = begin(run);
            boolean closed = true;
            for (int call = 0; closed && call < limit; call++) {
                closed = isStillClosed(breaker, breaker.call(failureRate));
            }
            trips += closed ? 0 : 1;
        }
        return Sample.ofShare(trips, runs);
    }

    /** Calls, and seconds, from a change of the failure rate until it opens; nothing if it does not stay closed before. */
    record Delay(Sample calls, Sample seconds) {}

    /** How long a settled breaker takes to open when the failure rate changes at a random moment. */
    Optional<Delay> delay(double before, double after) {
        long made = 0;
        long settling = 0;
        long trips = 0;
        double allSeconds = 0;
        Sample.Mean calls = new Sample.Mean();
        Sample.Mean seconds = new Sample.Mean();
        int run = 0;
        for (; run < effort.runs && made + settling < effort.calls; run++) {
            Optional<VirtualBreaker> settled = settled(run, before);
            if (settled.isEmpty()) {
                return Optional.empty();
            }
            settling += settlingCalls;
            VirtualBreaker breaker = settled.get();
            double sinceSeconds = breaker.nowSeconds();
            long callsBefore = made;
            boolean closed = true;
            while (closed && made < effort.calls) {
                made++;
                closed = isStillClosed(breaker, breaker.call(after));
            }
            allSeconds += breaker.nowSeconds() - sinceSeconds;
            if (!closed) {
                trips++;
                calls.add((double) (made - callsBefore));
                seconds.add(breaker.nowSeconds() - sinceSeconds);
            }
        }
        return Optional.of(
                trips == run
                        ? new Delay(calls.sample(), seconds.sample())
                        : new Delay(
                                Sample.ofPoisson((double) made, trips, run), Sample.ofPoisson(allSeconds, trips, run)));
    }

    /** Seconds, and probes, from the trip until it closes. */
    record Recovery(Sample seconds, Sample probes) {}

    /** How long a breaker takes to close after it has opened, while the failure rate is this. */
    Recovery untilClosed(double failureRate) {
        Sample.Mean seconds = new Sample.Mean();
        Sample.Mean probes = new Sample.Mean();
        long calls = 0;
        for (int run = 0; run < effort.runs && calls < effort.calls; run++) {
            VirtualBreaker breaker = begin(run);
            while (breaker.isClosed() && calls < effort.calls) {
                breaker.call(1);
                calls++;
            }
            double openedSeconds = breaker.nowSeconds();
            int sent = 0;
            // A run that has begun may go beyond the budget, since leaving the long ones out would shorten the mean.
            while (!breaker.isClosed() && calls < 2 * effort.calls) {
                sent += breaker.call(failureRate) == Fate.REFUSED ? 0 : 1;
                calls++;
            }
            if (breaker.isClosed() && sent > 0) {
                seconds.add(breaker.nowSeconds() - openedSeconds);
                probes.add(sent);
            }
        }
        return new Recovery(seconds.sample(), probes.sample());
    }

    /**
     * Means over outages.
     *
     * @param failuresSent failed calls that were sent, probes too
     * @param probes calls sent after it first opened, until it closed for good
     * @param lateSeconds how long after the end of the outage it was closed again; 0 if it never opened
     * @param refusedAfter how many calls were refused after the end
     * @param opened in which share of the outages it opened
     */
    record Outage(Sample failuresSent, Sample probes, Sample lateSeconds, Sample refusedAfter, Sample opened) {}

    /** What happens in an outage of a fixed length; nothing if the breaker does not stay closed before. */
    Optional<Outage> outage(double healthy, double bad, double lengthSeconds) {
        OutageTally tally = new OutageTally(bad, healthy, lengthSeconds);
        long calls = 0;
        for (int run = 0; run < effort.runs && calls < effort.calls; run++) {
            Optional<VirtualBreaker> settled = settled(run, healthy);
            if (settled.isEmpty()) {
                return Optional.empty();
            }
            calls += settlingCalls + tally.add(settled.get(), effort.calls);
        }
        return Optional.of(tally.means());
    }

    /**
     * The share of the time in which the breaker is closed, over a long time; the mean over some equal spans.
     *
     * @param failureRate at a second, asked in order
     */
    Sample closedShare(DoubleUnaryOperator failureRate, int spans) {
        VirtualBreaker breaker = begin(0);
        Sample.Mean shares = new Sample.Mean();
        long callsPerSpan = effort.calls / spans;
        for (int span = 0; span < spans; span++) {
            double closed = 0;
            double beganSeconds = breaker.nowSeconds();
            for (long call = 0; call < callsPerSpan; call++) {
                double beforeSeconds = breaker.nowSeconds();
                boolean wasClosed = breaker.isClosed();
                breaker.call(failureRate.applyAsDouble(beforeSeconds));
                closed += wasClosed ? breaker.nowSeconds() - beforeSeconds : 0;
            }
            shares.add(closed / (breaker.nowSeconds() - beganSeconds));
        }
        return shares.sample();
    }
}
