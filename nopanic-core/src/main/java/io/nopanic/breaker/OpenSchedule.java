package io.nopanic.breaker;

/** Decides how long an open breaker stays open before it probes. */
interface OpenSchedule {

    /** The breaker opens; during an outage, because probing has failed. */
    Period open(Outage outage, OpeningDraw draw);

    /** The longest time for which it stays open if the dependency does not ask for more. */
    long longestNanos();

    /** The schedule in words. */
    String describe();

    /** One open period. */
    @FunctionalInterface
    interface Period {

        /**
         * How long until it is time to probe, as far as that can be told; zero or less when it is.
         *
         * @param elapsedNanos how long the breaker has been open
         */
        long remainingNanos(long elapsedNanos);

        /** Whether it is time to probe. */
        default boolean isOver(long elapsedNanos) {
            return remainingNanos(elapsedNanos) <= 0;
        }
    }
}
