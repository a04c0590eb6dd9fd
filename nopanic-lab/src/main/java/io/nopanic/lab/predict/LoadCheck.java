package io.nopanic.lab.predict;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.lab.predict.Comparison.Bound;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.theory.ErlangB;
import io.nopanic.lab.theory.Hanging;
import io.nopanic.spi.Admission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Compares what the closed forms say of calls that take time with the production breaker and the production bulkhead. */
record LoadCheck(long seed, long calls, Consumer<String> progress) {

    private static final int RUNS = 300;
    private static final int SPANS = 40;
    private static final double NANOS_PER_SECOND = 1e9;

    List<Comparison> run() {
        List<Comparison> done = new ArrayList<>();
        hanging(done, "consecutive:7", 10, 7, 30, Integer.MAX_VALUE, Bound.percent(2));
        Bound gapsLate = new Bound(0.98, 1.4, "-2..+40 %");
        hanging(done, "auto:1;evidence-threshold=7;slow-cost=1;slow-after=1s", 10, 7, 1, Integer.MAX_VALUE, gapsLate);
        hanging(
                done,
                "auto:1;evidence-threshold=10;slow-cost=1;slow-after=1s",
                100,
                10,
                1,
                Integer.MAX_VALUE,
                gapsLate);
        hanging(done, "consecutive:7", 10, 7, 30, 4, Bound.percent(2));
        blocking(done, 10, 5);
        blocking(done, 15, 10);
        return done;
    }

    // ---------------- calls that hang

    private void hanging(
            List<Comparison> done, String policy, double rate, int calls, double counted, int slots, Bound bound) {
        String what = "seconds, hanging, " + Plain.rounded(rate) + "/s"
                + (slots == Integer.MAX_VALUE ? "" : ", " + slots + " slots");
        progress.accept(policy + ": " + what);
        Hanging form = new Hanging(rate, calls);
        Hanging.Trip trip = slots == Integer.MAX_VALUE ? form.after(counted) : form.behindBulkhead(slots, counted);
        Sample.Mean seconds = new Sample.Mean();
        BreakerSpec spec = Check.spec(policy);
        double timeout = spec.slowAfter().isPresent() ? 1000 : counted;
        for (int run = 0; run < RUNS; run++) {
            seconds.add(hang(new VirtualBreaker(spec, rate, new SplittableRandom(seed + run)), timeout, slots));
        }
        done.add(Comparison.of(policy, what, trip.seconds(), bound, seconds.sample()));
    }

    private record Stuck(long permit, long startNanos) {}

    /** Seconds from the beginning to the trip while every call hangs until the timeout. */
    private static double hang(VirtualBreaker breaker, double timeoutSeconds, int slots) {
        Deque<Stuck> stuck = new ArrayDeque<>();
        long timeoutNanos = Math.round(timeoutSeconds * NANOS_PER_SECOND);
        while (breaker.isClosed()) {
            breaker.passGap();
            while (!stuck.isEmpty()
                    && breaker.nowNanos() - stuck.getFirst().startNanos() >= timeoutNanos
                    && breaker.isClosed()) {
                Stuck ended = stuck.removeFirst();
                breaker.end(ended.permit(), ended.startNanos(), true);
            }
            if (breaker.isClosed() && stuck.size() < slots) {
                long permit = breaker.enter();
                if (permit >= 0) {
                    stuck.addLast(new Stuck(permit, breaker.nowNanos()));
                }
            }
        }
        return breaker.nowSeconds();
    }

    // ---------------- bulkheads

    private void blocking(List<Comparison> done, int slots, double load) {
        String policy = "bulkhead of " + slots;
        String what = "share refused, load " + Plain.rounded(load);
        progress.accept(policy + ": " + what);
        done.add(Comparison.of(policy, what, ErlangB.blocked(slots, load), Bound.EXACT, blocked(slots, load)));
    }

    /** Latencies that are spread over a wide range, with the mean 1. */
    private Sample blocked(int slots, double load) {
        SplittableRandom random = new SplittableRandom(seed);
        Bulkhead bulkhead = Bulkhead.of(slots);
        PriorityQueue<Double> ends = new PriorityQueue<>();
        Sample.Mean shares = new Sample.Mean();
        double now = 0;
        long perSpan = calls / SPANS;
        for (int span = 0; span < SPANS; span++) {
            int refused = 0;
            for (long call = 0; call < perSpan; call++) {
                now -= Math.log1p(-random.nextDouble()) / load;
                while (!ends.isEmpty() && ends.peek() <= now) {
                    ends.remove();
                    bulkhead.settle(0, 0, 0, null, null);
                }
                if (bulkhead.tryAcquire(0) == Admission.NOT_NOW) {
                    refused++;
                } else {
                    ends.add(now + Math.exp(random.nextGaussian() - 0.5));
                }
            }
            shares.add((double) refused / perSpan);
        }
        return shares.sample();
    }
}
