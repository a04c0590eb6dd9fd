package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;

/** The median of the failure rates of all minutes in which there were calls, to a thousandth. Constant size. Not thread-safe. */
final class MinuteRates {

    private static final int STEPS = 1000;

    private final long[] minutesByRate = new long[STEPS + 1];
    private long minutes;
    private long minute = Long.MIN_VALUE;
    private long calls;
    private long failures;

    /** A call begins in this minute; minutes do not go back. */
    void add(long inMinute, Ending ending) {
        if (inMinute != minute) {
            closeMinute();
            minute = inMinute;
        }
        if (ending != Ending.IGNORED) {
            calls++;
            failures += ending.isFailed() ? 1 : 0;
        }
    }

    private void closeMinute() {
        if (calls > 0) {
            minutesByRate[(int) Math.round((double) STEPS * failures / calls)]++;
            minutes++;
        }
        calls = 0;
        failures = 0;
    }

    /** The lower median; 0 if there were no calls. */
    double median() {
        closeMinute();
        long below = 0;
        for (int step = 0; step <= STEPS; step++) {
            below += minutesByRate[step];
            if (2 * below >= Math.max(1, minutes)) {
                return (double) step / STEPS;
            }
        }
        return 0;
    }
}
