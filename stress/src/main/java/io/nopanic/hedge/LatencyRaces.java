package io.nopanic.hedge;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** What is known of latencies, read as calls are recorded and as the past fades. */
public final class LatencyRaces {

    private static final long MS = 1_000_000;
    private static final int CALLS = 20;
    private static final long MEDIAN_NANOS = CALLS / 2 * MS;

    private LatencyRaces() {}

    private static Latencies known() {
        Latencies latencies = new Latencies();
        for (int call = 1; call <= CALLS; call++) {
            latencies.record(call * MS, HandTime.START_NANOS);
        }
        return latencies;
    }

    private static String median(Latencies latencies) {
        long nanos = latencies.quantileNanos(0.5, 1);
        if (nanos == Latencies.UNREAD) {
            return "unread";
        }
        return nanos >= MEDIAN_NANOS && nanos <= MEDIAN_NANOS * 17 / 16 ? "right" : nanos / MS + " ms";
    }

    /**
     * Somebody reads the median as a call that took as long comes, with which the past fades. It is the same before and after. Result: the median, and that which is read when both have ended.
     */
    @JCStressTest
    @Description("The quantile is read as the past fades: is it that of calls of which some have faded and others not?")
    @Outcome(id = "right, right", expect = ACCEPTABLE, desc = "read before it faded, or after")
    @Outcome(
            id = "unread, right",
            expect = ACCEPTABLE,
            desc = "it just faded; what was known holds until the next reading")
    @State
    public static class ReadingAgainstFading {

        private final Latencies latencies = known();

        @Actor
        public void read(LL_Result r) {
            r.r1 = median(latencies);
        }

        @Actor
        public void fade() {
            latencies.record(MEDIAN_NANOS, HandTime.START_NANOS + Latencies.HALF_LIFE_NANOS);
        }

        @Arbiter
        public void end(LL_Result r) {
            r.r2 = median(latencies);
        }
    }
}
