package io.nopanic.lab.predict;

import io.nopanic.lab.predict.VirtualBreaker.Fate;

/** Follows breakers through outages and adds up. Not thread-safe. */
final class OutageTally {

    private final double bad;
    private final double healthy;
    private final double lengthSeconds;
    private final Sample.Mean failuresSent = new Sample.Mean();
    private final Sample.Mean probes = new Sample.Mean();
    private final Sample.Mean lateSeconds = new Sample.Mean();
    private final Sample.Mean refusedAfter = new Sample.Mean();
    private long opened;
    private long outages;

    OutageTally(double bad, double healthy, double lengthSeconds) {
        this.bad = bad;
        this.healthy = healthy;
        this.lengthSeconds = lengthSeconds;
    }

    /** One outage, from now on; returns how many calls that took. */
    long add(VirtualBreaker breaker, long mostCalls) {
        double endSeconds = breaker.nowSeconds() + lengthSeconds;
        long calls = 0;
        long failed = 0;
        long sentWhileNotClosed = 0;
        boolean open = false;
        breaker.passGap();
        while (breaker.nowSeconds() < endSeconds && calls < mostCalls) {
            boolean closed = breaker.isClosed();
            Fate fate = breaker.callNow(bad);
            calls++;
            failed += fate == Fate.FAILED ? 1 : 0;
            sentWhileNotClosed += closed || fate == Fate.REFUSED ? 0 : 1;
            open |= !closed;
            breaker.passGap();
        }
        long refused = 0;
        double closedSeconds = endSeconds;
        while (!breaker.isClosed() && calls < 2 * mostCalls) {
            open = true;
            Fate fate = breaker.callNow(healthy);
            calls++;
            refused += fate == Fate.REFUSED ? 1 : 0;
            sentWhileNotClosed += fate == Fate.REFUSED ? 0 : 1;
            closedSeconds = breaker.nowSeconds();
            breaker.passGap();
        }
        outages++;
        opened += open ? 1 : 0;
        failuresSent.add((double) failed);
        probes.add((double) sentWhileNotClosed);
        lateSeconds.add(closedSeconds - endSeconds);
        refusedAfter.add((double) refused);
        return calls;
    }

    Trials.Outage means() {
        return new Trials.Outage(
                failuresSent.sample(),
                probes.sample(),
                lateSeconds.sample(),
                refusedAfter.sample(),
                Sample.ofShare(opened, outages));
    }
}
