package io.nopanic.lab.predict;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.events.CircuitState;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.time.Time;
import java.util.SplittableRandom;

/**
 * The production breaker under a clock of its own, met by calls that come as a Poisson process and end as soon as they begin. Not thread-safe.
 */
final class VirtualBreaker {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String NAME = "virtual";
    private final Exception failure = new Exception("a call that was to fail");
    private final SplittableRandom random;
    private final double meanGapNanos;
    private final CircuitBreaker breaker;
    private long nowNanos = 1;

    /** What became of a call. */
    enum Fate {
        REFUSED,
        FAILED,
        SUCCEEDED
    }

    VirtualBreaker(BreakerSpec spec, double callsPerSecond, SplittableRandom random) {
        this.random = random;
        meanGapNanos = NANOS_PER_SECOND / callsPerSecond;
        breaker = spec.build(NAME, Time.system().withTicker(() -> nowNanos), random);
    }

    double nowSeconds() {
        return nowNanos / NANOS_PER_SECOND;
    }

    boolean isClosed() {
        return breaker.state() == CircuitState.CLOSED;
    }

    /** Lets the time pass until the next call. */
    void passGap() {
        nowNanos += Math.max(1, Math.round(-meanGapNanos * Math.log1p(-random.nextDouble())));
    }

    /** The next call, after a gap; the breaker decides whether it is sent, and with this probability it fails then. */
    Fate call(double failureRate) {
        passGap();
        return callNow(failureRate);
    }

    /** A call at this moment. */
    Fate callNow(double failureRate) {
        boolean fails = random.nextDouble() < failureRate;
        long permit = enter();
        if (permit < 0) {
            return Fate.REFUSED;
        }
        end(permit, nowNanos, fails);
        return fails ? Fate.FAILED : Fate.SUCCEEDED;
    }

    /** A call asks to go in: its permit, or less than zero. */
    long enter() {
        long permit = breaker.tryAcquire(nowNanos);
        if (permit == Admission.NOT_NOW
                && breaker.enter(new EntryRequest(NAME, nowNanos, 0, () -> {})) instanceof Entry.Admitted admitted) {
            return admitted.permit();
        }
        return permit;
    }

    /** A call that began earlier ends now. */
    void end(long permit, long startNanos, boolean fails) {
        breaker.settle(permit, startNanos, nowNanos, null, fails ? failure : null);
    }

    long nowNanos() {
        return nowNanos;
    }
}
