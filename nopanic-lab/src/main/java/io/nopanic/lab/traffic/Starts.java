package io.nopanic.lab.traffic;

/** When calls begin, one after the other. Not thread-safe. */
interface Starts extends AutoCloseable {

    /** After the last call. */
    double NONE = -1;

    /** When the next call begins, in nanoseconds since the scenario began, or {@link #NONE}. Does not go back. */
    double next(Draws draws);

    @Override
    default void close() {}

    /** As the load of a scenario has it. */
    static Starts of(Scenario.Load load) {
        double gapNanos = 1e9 / load.perSecond();
        boolean poisson = load.arrivals() == Arrivals.POISSON;
        return new Starts() {

            private double nanos;

            @Override
            public double next(Draws draws) {
                nanos += poisson ? gapNanos * draws.exponential() : gapNanos;
                return nanos;
            }
        };
    }
}
