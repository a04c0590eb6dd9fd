package io.nopanic.cli.load;

import io.nopanic.breaker.CircuitOpenException;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;

/** One thread's part of the load. */
final class Caller {

    /** After so many calls a caller says how far it is. */
    static final int REPORT_EVERY = 4096;

    /** A way to make calls. */
    @FunctionalInterface
    interface Guard {
        String call(Callable<String> body) throws Exception;
    }

    private Caller() {}

    /** Makes so many calls and counts how they end. */
    static Tally call(Guard guard, Callable<String> dependency, long calls, LongConsumer done) {
        long ok = 0;
        long failed = 0;
        long shortCircuited = 0;
        for (long i = 1; i <= calls; i++) {
            try {
                guard.call(dependency);
                ok++;
            } catch (Dependency.Failure failure) {
                failed++;
            } catch (CircuitOpenException open) {
                shortCircuited++;
            } catch (Exception e) {
                throw new IllegalStateException("a call ended as none may", e);
            }
            if (i % REPORT_EVERY == 0) {
                done.accept(i);
            }
        }
        return new Tally(ok, failed, shortCircuited);
    }
}
