package io.nopanic.benchmarks.contestants;

import io.nopanic.time.Time;
import java.util.concurrent.locks.LockSupport;

/** The times that nopanic is measured on. */
final class Clocks {

    private Clocks() {}

    /** {@link System#nanoTime} at every reading. */
    static Time exact() {
        return Time.system();
    }

    /** A reading that is up to about ten milliseconds old. */
    static Time coarse() {
        return Time.system().withTicker(StandIn::nanos);
    }

    /** Stands in for a coarse clock of the library's own until there is one: a variable that a thread writes. */
    private static final class StandIn {

        private static final long STEP_NANOS = 10_000_000;
        private static volatile long nowNanos = System.nanoTime();

        static {
            Thread ticker = new Thread(StandIn::tick, "stand-in clock");
            ticker.setDaemon(true);
            ticker.start();
        }

        static long nanos() {
            return nowNanos;
        }

        private static void tick() {
            while (true) {
                LockSupport.parkNanos(STEP_NANOS);
                nowNanos = System.nanoTime();
            }
        }
    }
}
