package io.nopanic.lab.predict;

import io.nopanic.spi.Require;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a policy is put into. Calls come as a Poisson process and fail independently.
 *
 * @param callsPerSecond more than 0, at most 1,000,000
 * @param healthy the failure rate when nothing is wrong, from 0, less than {@code bad}
 * @param bad the failure rate in an outage, at most 1
 * @param outageSeconds how long an outage lasts, more than 0, at most 1,000,000
 * @param upSeconds how long it is up between outages, if that is known; more than 0
 * @param failureCost how many calls refused for nothing are as bad as one failed call that was sent, if that is known; 0.01 to 100
 * @param latencySeconds the mean time that a call takes, if that is known; more than 0
 * @param timeoutSeconds after what time a call is given up, if that is known; more than 0
 * @param slowAfterSeconds after what time a call in flight counts as failed, if it does and the policy does not say; more than 0
 * @param bulkhead how many calls there can be at a time, if that is limited; at least 1
 */
public record Conditions(
        double callsPerSecond,
        double healthy,
        double bad,
        double outageSeconds,
        OptionalDouble upSeconds,
        OptionalDouble failureCost,
        OptionalDouble latencySeconds,
        OptionalDouble timeoutSeconds,
        OptionalDouble slowAfterSeconds,
        OptionalInt bulkhead) {

    private static final double MOST = 1e6;

    /** Checks the numbers. */
    public Conditions {
        positive("rate", callsPerSecond);
        Require.between("healthy", healthy, 0, 1);
        Require.between("bad", bad, 0, 1);
        if (!(healthy < bad)) {
            throw Require.refused("healthy", healthy, "less than bad, " + bad);
        }
        positive("outage", outageSeconds);
        upSeconds.ifPresent(value -> positive("up", value));
        failureCost.ifPresent(value -> Require.between("cost", value, 0.01, 100));
        latencySeconds.ifPresent(value -> positive("latency", value));
        timeoutSeconds.ifPresent(value -> positive("timeout", value));
        slowAfterSeconds.ifPresent(value -> positive("slowAfter", value));
        bulkhead.ifPresent(value -> Require.between("bulkhead", value, 1, 1_000_000));
    }

    private static void positive(String name, double value) {
        if (!(value > 0 && value <= MOST)) {
            throw Require.refused(name, value, "a number more than 0 and at most 1000000");
        }
    }

    /** With these rates and nothing else known. */
    public static Conditions of(double callsPerSecond, double healthy, double bad, double outageSeconds) {
        OptionalDouble unknown = OptionalDouble.empty();
        return new Conditions(
                callsPerSecond,
                healthy,
                bad,
                outageSeconds,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                OptionalInt.empty());
    }
}
