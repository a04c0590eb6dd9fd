package io.nopanic.breaker;

import java.util.concurrent.atomic.LongAdder;

/** Decides how long an open breaker stays open before it probes. */
interface OpenSchedule {

    /**
     * A breaker opens.
     *
     * @param failedProbings how often in a row probing has failed since it was last closed; 0 when it trips
     * @param hintNanos how long the dependency itself asked to be left alone; 0 if it did not
     * @param random a number from 0 to 1, for jitter
     */
    Period open(int failedProbings, long hintNanos, double random);

    /** The schedule in words. */
    String describe();

    /** One open period. */
    @FunctionalInterface
    interface Period {

        /**
         * How long until it is time to probe; zero or less when it is.
         *
         * @param elapsedNanos how long the breaker has been open
         * @param refused the calls refused so far
         */
        long remainingNanos(long elapsedNanos, LongAdder refused);
    }
}
