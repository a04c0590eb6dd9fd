package io.nopanic.lab.predict;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Schedule;
import io.nopanic.lab.theory.OpenTime;
import io.nopanic.lab.theory.Probing;
import java.util.Optional;

/**
 * What the closed forms say of a breaker that is not closed.
 *
 * @param probing how it decides
 * @param openTime when it probes, if that is after a time
 */
record OpenForm(Probing probing, Optional<OpenTime> openTime, double callsPerSecond) {

    static OpenForm of(BreakerSpec spec, double callsPerSecond) {
        int probes = spec.probing().probes();
        double share = spec.probing().failureRate().orElse(0);
        int failuresToOpen = (int) Math.max(1, Math.ceil(share * probes - 1e-9));
        return new OpenForm(
                new Probing(probes, probes - failuresToOpen + 1), openTime(spec.schedule()), callsPerSecond);
    }

    private static Optional<OpenTime> openTime(Schedule schedule) {
        if (!(schedule instanceof Schedule.Timed timed)) {
            return Optional.empty();
        }
        double seconds = timed.openFor().toNanos() / 1e9;
        double cap = timed.cap().map(value -> value.toNanos() / 1e9).orElse(Double.MAX_VALUE);
        return Optional.of(new OpenTime(seconds, timed.growth(), Math.max(seconds, cap), timed.jitter()));
    }

    /** How long probing takes, each time: its calls come one by one. */
    double probingSeconds(double failureRate) {
        return probing.meanProbes(failureRate) / callsPerSecond;
    }

    /** Seconds from the trip until it closes; infinite if probing cannot succeed. */
    Optional<Estimate> secondsUntilClosed(double failureRate) {
        double closes = probing.closes(failureRate);
        return openTime.map(time -> Estimate.exact(
                closes == 0
                        ? Double.POSITIVE_INFINITY
                        : time.meanSecondsUntilClosed(closes, probingSeconds(failureRate)),
                "exact for probes that take no time and fail independently"));
    }

    /** Probes from the trip until it closes; the schedule does not matter. */
    Estimate probesUntilClosed(double failureRate) {
        double closes = probing.closes(failureRate);
        return Estimate.exact(
                closes == 0 ? Double.POSITIVE_INFINITY : probing.meanProbes(failureRate) / closes,
                "exact for probes that are sent one by one and fail independently");
    }
}
