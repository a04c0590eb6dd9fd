package io.nopanic.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.stress.interleavings.HandTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LLI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** An asynchronous call that its caller gives up. */
public final class CancelRaces {

    private CancelRaces() {}

    /** The code completes as the caller cancels. Result: how the call ended, permits in use. */
    @JCStressTest
    @Description("The call is cancelled as its stage completes: is there one end, and does the permit come back once?")
    @Outcome(id = "value, 0", expect = ACCEPTABLE, desc = "completed first")
    @Outcome(id = "CancellationException, 0", expect = ACCEPTABLE, desc = "cancelled first")
    @State
    public static class CancelAgainstComplete {

        private final Guarded guarded = new Guarded();
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private final CompletableFuture<String> call = guarded.call(() -> body);

        @Actor
        public void complete() {
            body.complete("value");
        }

        @Actor
        public void cancel() {
            call.cancel(true);
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = Guarded.end(call);
            r.r2 = guarded.bulkhead.inUse();
        }
    }

    /**
     * The caller cancels while the call starts the code, which goes on until it is cancelled, and attaches to its stage. Result: how the call ended, how the code ended, permits
     * in use.
     */
    @JCStressTest
    @Description("The call is cancelled as it starts the code: is the code left running?")
    @Outcome(
            id = "CancellationException, CancellationException, 0",
            expect = ACCEPTABLE,
            desc = "started, and cancelled")
    @Outcome(id = "CancellationException, pending, 0", expect = ACCEPTABLE, desc = "not started at all")
    @State
    public static class CancelAgainstStart {

        private final Guarded guarded = new Guarded();
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private volatile boolean started;
        private final StagedCall<String> call;

        public CancelAgainstStart() {
            Context context = new Context("pipeline", guarded.hand.time, new Resumer(Runnable::run));
            BodyStage last = new BodyStage(context);
            Segment segment = new Segment(List.of(new AdmissionStage(context, guarded.bulkhead, last), last));
            call = new StagedCall<>(context, segment, this::start, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS);
        }

        private CompletableFuture<String> start() {
            started = true;
            return body;
        }

        @Actor
        public void run() {
            call.run();
        }

        @Actor
        public void cancel() {
            call.cancel(true);
        }

        @Arbiter
        public void end(LLI_Result r) {
            r.r1 = Guarded.end(call);
            r.r2 = started && !body.isDone() ? "left running" : Guarded.end(body);
            r.r3 = guarded.bulkhead.inUse();
        }
    }

    /** The call waits for a permit, which is handed to it as its caller cancels. Result: how the call ended, permits available, calls that wait. */
    @JCStressTest
    @Description("The call is cancelled as a permit is handed to it: does the permit come back?")
    @Outcome(id = "value, 1, 0", expect = ACCEPTABLE, desc = "handed over first; the call went through")
    @Outcome(
            id = "CancellationException, 1, 0",
            expect = ACCEPTABLE,
            desc = "cancelled first; the permit was passed on or never taken")
    @State
    public static class CancelAgainstHandOver {

        private final Guarded guarded = new Guarded();
        private final CompletableFuture<String> call;

        public CancelAgainstHandOver() {
            guarded.occupy();
            call = guarded.call(() -> CompletableFuture.completedFuture("value"));
        }

        @Actor
        public void release() {
            guarded.release();
        }

        @Actor
        public void cancel() {
            call.cancel(true);
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = Guarded.end(call);
            r.r2 = guarded.bulkhead.available();
            r.r3 = guarded.bulkhead.queued();
        }
    }

    /** Permits of a call that is made by hand are settled by two threads. Result: who did, permits in use. */
    @JCStressTest
    @Description("Two threads settle the permits of one call: do they come back once?")
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the one")
    @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the other")
    @State
    public static class SettleAgainstSettle {

        private final Guarded guarded = new Guarded();
        private final HeldPermits held = guarded.admit();

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = held.settle("result", null);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = held.settle(null, HandTime.FAILURE);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = guarded.bulkhead.inUse();
        }
    }
}
