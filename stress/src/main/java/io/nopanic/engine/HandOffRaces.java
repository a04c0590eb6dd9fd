package io.nopanic.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.stress.interleavings.HandTime;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LI_Result;

/** An asynchronous call that parks, and whatever wakes it: too early, too often, too late. */
public final class HandOffRaces {

    private HandOffRaces() {}

    /** Code whose end is announced as often as a test likes, as by a stage of another library that is not quite right. */
    private static final class Body extends CompletableFuture<String> {

        private @Nullable BiFunction<? super String, Throwable, ?> announce;

        @Override
        public <U> CompletableFuture<U> handle(BiFunction<? super String, Throwable, ? extends U> fn) {
            announce = fn;
            return super.handle(fn);
        }

        void announceAgain() {
            BiFunction<? super String, Throwable, ?> told = announce;
            if (told != null) {
                Object unused = told.apply("late", null);
            }
        }

        /** It cannot be stopped. */
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }
    }

    /** The guarded code's stage completes while the call attaches to it and parks. Result: how the call ended, permits in use. */
    @JCStressTest
    @Description("The stage completes as the call parks: does the call go on?")
    @Outcome(id = "value, 0", expect = ACCEPTABLE, desc = "seen before it parked, or woken after")
    @State
    public static class CompleteAgainstPark {

        private final Guarded guarded = new Guarded();
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private @Nullable CompletableFuture<String> call;

        @Actor
        public void call() {
            call = guarded.call(() -> body);
        }

        @Actor
        public void complete() {
            body.complete("value");
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = call == null ? "nothing" : Guarded.end(call);
            r.r2 = guarded.bulkhead.inUse();
        }
    }

    /** A permit comes back while the call joins the bulkhead's queue and parks. Result: how the call ended, permits in use, calls that wait. */
    @JCStressTest
    @Description("A permit comes back as the call parks to wait for it: does the call go on?")
    @Outcome(id = "value, 0, 0", expect = ACCEPTABLE, desc = "admitted at once, or woken")
    @State
    public static class ReleaseAgainstPark {

        private final Guarded guarded = new Guarded();
        private @Nullable CompletableFuture<String> call;

        public ReleaseAgainstPark() {
            guarded.occupy();
        }

        @Actor
        public void call() {
            call = guarded.call(() -> CompletableFuture.completedFuture("value"));
        }

        @Actor
        public void release() {
            guarded.release();
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = call == null ? "nothing" : Guarded.end(call);
            r.r2 = guarded.bulkhead.inUse();
            r.r3 = guarded.bulkhead.queued();
        }
    }

    /** The code completes as its time is over. Result: how the call ended, timeouts told, permits in use. */
    @JCStressTest
    @Description("The stage completes as the deadline's timer goes off: do they agree on one end?")
    @Outcome(id = "value, 0, 0", expect = ACCEPTABLE, desc = "completed first; the timer finds nothing to do")
    @Outcome(
            id = "TimeoutExceededException, 1, 0",
            expect = ACCEPTABLE,
            desc = "timed out first; the completion comes late")
    @State
    public static class CompleteAgainstTimeout {

        private final Timeout timeout =
                Timeout.builder().after(Duration.ofSeconds(1)).build();
        private final Guarded guarded = new Guarded(timeout);
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private final CompletableFuture<String> call;
        private volatile int timeouts;

        @SuppressWarnings("NonAtomicVolatileUpdate") // the timer goes off once
        public CompleteAgainstTimeout() {
            timeout.events().subscribe(event -> timeouts++);
            call = guarded.call(() -> body);
        }

        @Actor
        public void complete() {
            body.complete("value");
        }

        @Actor
        public void timeOut() {
            guarded.hand.fire();
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = Guarded.end(call);
            r.r2 = timeouts;
            r.r3 = guarded.bulkhead.inUse();
        }
    }

    /**
     * The first attempt failed; the second is under way. The first one's stage announces its end once more as the second's completes. Result: how the call ended, attempts made,
     * permits in use.
     */
    @JCStressTest
    @Description(
            "An attempt that is over announces its end again, as the next one ends: is the call's result the next one's?")
    @Outcome(
            id = "value, 2, 0",
            expect = ACCEPTABLE,
            desc = "the late announcement is a wake-up that finds nothing changed")
    @State
    public static class LateArrivalAgainstArrival {

        private final Guarded guarded =
                new Guarded(Retry.builder().attempts(3).backoff(Backoff.none()).build());
        private final Body first = new Body();
        private final CompletableFuture<String> second = new CompletableFuture<>();
        private final CompletableFuture<String> call;
        private int attempts;

        public LateArrivalAgainstArrival() {
            call = guarded.call(() -> attempts++ == 0 ? first : second);
            first.completeExceptionally(new CompletionException(HandTime.FAILURE));
        }

        @Actor
        public void announceAgain() {
            first.announceAgain();
        }

        @Actor
        public void complete() {
            second.complete("value");
        }

        @Arbiter
        public void end(LII_Result r) {
            r.r1 = Guarded.end(call);
            r.r2 = attempts;
            r.r3 = guarded.bulkhead.inUse();
        }
    }

    /**
     * The call waits between two attempts. The timer that ends the wait goes off as somebody cancels the call. The second attempt, if it is made, goes on until it is cancelled.
     * Result: how the call ended, whether an attempt is left running, permits in use.
     */
    @JCStressTest
    @Description("The wait before the next attempt ends as the call is cancelled: is an attempt left behind?")
    @Outcome(id = "CancellationException, 0, 0", expect = ACCEPTABLE, desc = "not made, or made and cancelled")
    @State
    public static class NextAttemptAgainstCancel {

        private final Guarded guarded = new Guarded(Retry.builder()
                .attempts(3)
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .build());
        private volatile @Nullable CompletableFuture<String> second;
        private final CompletableFuture<String> call;
        private int attempts;

        public NextAttemptAgainstCancel() {
            call = guarded.call(this::attempt);
            guarded.hand.moveTo(1_000_000_000L);
        }

        private CompletableFuture<String> attempt() {
            if (attempts++ == 0) {
                return CompletableFuture.failedFuture(HandTime.FAILURE);
            }
            CompletableFuture<String> running = new CompletableFuture<>();
            second = running;
            return running;
        }

        @Actor
        public void timer() {
            guarded.hand.fire();
        }

        @Actor
        public void cancel() {
            call.cancel(true);
        }

        @Arbiter
        public void end(LII_Result r) {
            guarded.hand.fire();
            CompletableFuture<String> running = second;
            r.r1 = Guarded.end(call);
            r.r2 = running == null || running.isDone() ? 0 : 1;
            r.r3 = guarded.bulkhead.inUse();
        }
    }
}
