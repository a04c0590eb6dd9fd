package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * An outage in which every call hangs until its timeout.
 *
 * @param callsPerSecond {@code lambda}, more than 0
 * @param callsToTrip {@code n}, how many failed calls open the breaker, at least 1; for a CUSUM {@code ceil(H / u)}
 */
public record Hanging(double callsPerSecond, int callsToTrip) {

    /** Checks the numbers. */
    public Hanging {
        Chance.positive("callsPerSecond", callsPerSecond);
        Require.between("callsToTrip", callsToTrip, 1, Integer.MAX_VALUE);
    }

    /**
     * What happens.
     *
     * @param seconds from the first call that hangs to the trip
     * @param stuck how many calls hang by then
     */
    public record Trip(double seconds, double stuck) {}

    /**
     * A breaker that counts a hanging call as failed after {@code d}: it opens after {@code d + n / lambda} with {@code lambda d + n} calls stuck. With {@code d}
     * the timeout, that is a breaker that counts calls when they end; with {@code d} the limit for slow calls, one that counts calls in flight.
     *
     * <p>Bound: 2 % from 10 calls/s on, 5 % at 1 call/s.
     *
     * @param countedAfterSeconds {@code d}, more than 0
     */
    public Trip after(double countedAfterSeconds) {
        double seconds = Chance.positive("countedAfterSeconds", countedAfterSeconds) + callsToTrip / callsPerSecond;
        return new Trip(seconds, callsPerSecond * seconds);
    }

    /**
     * The same behind a bulkhead of fewer slots than it takes calls to open the breaker, if calls count when they end: each round of {@code B} calls takes
     * a timeout {@code To}, so that it opens only after {@code k = ceil(n / B)} of them, at {@code k To + (n - (k - 1) B + k - 1) / lambda}, with {@code B}
     * calls stuck.
     *
     * <p>Bound: a few gaps between calls, since slots are filled again by chance.
     *
     * @param slots {@code B}, at least 1
     * @param timeoutSeconds {@code To}, more than 0
     */
    public Trip behindBulkhead(int slots, double timeoutSeconds) {
        Require.between("slots", slots, 1, Integer.MAX_VALUE);
        if (slots >= callsToTrip) {
            Trip free = after(timeoutSeconds);
            return new Trip(free.seconds, Math.min(slots, free.stuck));
        }
        int rounds = (callsToTrip + slots - 1) / slots;
        double filling = callsToTrip - (rounds - 1.0) * slots + rounds - 1;
        return new Trip(rounds * Chance.positive("timeoutSeconds", timeoutSeconds) + filling / callsPerSecond, slots);
    }
}
