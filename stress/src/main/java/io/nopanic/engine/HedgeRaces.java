package io.nopanic.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.nopanic.hedge.Hedge;
import io.nopanic.outcome.Classifier;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IL_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** Copies of a call that race, and what may end them. */
public final class HedgeRaces {

    private static final int MOST_COPIES = 4;
    private static final int LONG = 100;

    /** As of a user who reads what failed before it is known what that means. */
    private static final Classifier TAKES_ITS_TIME = Classifier.builder()
            .ignoreIf(error -> {
                for (int spin = 0; spin < LONG; spin++) {
                    Thread.onSpinWait();
                }
                return false;
            })
            .build();

    private HedgeRaces() {}

    /** A hedged call, whose copies end as a test says and cannot be stopped. */
    private static final class Hedged {

        final HandTime hand = new HandTime();
        final AtomicInteger started = new AtomicInteger();
        final List<Body> bodies = List.of(new Body(), new Body(), new Body(), new Body());
        final RacingCall<Object> call;

        Hedged(int maxHedges) {
            Context context = new Context("pipeline", hand.time, new Resumer(Runnable::run));
            Segment segment = new Segment(List.of(new BodyStage(context)));
            Hedge hedge = Hedge.builder()
                    .delay(Duration.ofSeconds(1))
                    .maxHedges(maxHedges)
                    .noBudget()
                    .classifier(TAKES_ITS_TIME)
                    .time(hand.time)
                    .build();
            call = new RacingCall<>(context, hedge, () -> {
                Body body = bodies.get(started.getAndIncrement());
                StagedCall<Object> copy =
                        new StagedCall<>(context, segment, () -> body, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS);
                copy.run();
                return copy;
            });
            call.start();
        }

        /** The same, of which two copies run. */
        static Hedged ofTwo(int maxHedges) {
            Hedged hedged = new Hedged(maxHedges);
            hedged.hand.fire();
            return hedged;
        }

        String end() {
            return call.isDone()
                    ? call.handle((value, error) -> error == null
                                    ? value.toString()
                                    : error.getClass().getSimpleName())
                            .join()
                    : "pending";
        }
    }

    private static final class Body extends CompletableFuture<Object> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }
    }

    /** A result that counts how often it was closed. */
    private static final class Closeable implements AutoCloseable {

        private volatile int closed;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // closed once, or it shows
        public void close() {
            closed++;
        }

        @Override
        public String toString() {
            return "value";
        }
    }

    /** Of two copies one fails as the other ends by being cancelled; one more may be made. Result: the copies started, and how the call ended. */
    @JCStressTest
    @Description("A copy fails as the only other one is cancelled: is the next one started?")
    @Outcome(id = "3, pending", expect = ACCEPTABLE, desc = "the next one was started, and runs")
    @State
    public static class FailureAgainstCancelledCopy {

        private final Hedged hedged = Hedged.ofTwo(2);

        @Actor
        public void fail() {
            hedged.bodies.get(0).completeExceptionally(HandTime.FAILURE);
        }

        @Actor
        public void cancelled() {
            hedged.bodies.get(1).completeExceptionally(new CancellationException());
        }

        @Arbiter
        public void end(IL_Result r) {
            r.r1 = hedged.started.get();
            r.r2 = hedged.end();
        }
    }

    /** Two copies fail; two more may be made. Result: the copies started, and how the call ended. */
    @JCStressTest
    @Description("Two copies fail at one moment: does each start another?")
    @Outcome(id = "4, pending", expect = ACCEPTABLE, desc = "both did, and those run")
    @State
    public static class FailureAgainstFailure {

        private final Hedged hedged = Hedged.ofTwo(MOST_COPIES - 1);

        @Actor
        public void one() {
            hedged.bodies.get(0).completeExceptionally(HandTime.FAILURE);
        }

        @Actor
        public void other() {
            hedged.bodies.get(1).completeExceptionally(HandTime.FAILURE);
        }

        @Arbiter
        public void end(IL_Result r) {
            r.r1 = hedged.started.get();
            r.r2 = hedged.end();
        }
    }

    /** The only copy returns something as the call is cancelled. Result: how the call ended, and how often what was returned was closed. */
    @JCStressTest
    @Description("A copy wins as the call is cancelled: does somebody get what it returned, or else is it closed?")
    @Outcome(id = "value, 0", expect = ACCEPTABLE, desc = "won first; it is the call's result")
    @Outcome(id = "CancellationException, 1", expect = ACCEPTABLE, desc = "cancelled first; nobody gets it")
    @State
    public static class WinAgainstCancel {

        private final Hedged hedged = new Hedged(1);
        private final Closeable result = new Closeable();

        @Actor
        public void win() {
            hedged.bodies.get(0).complete(result);
        }

        @Actor
        public void cancel() {
            hedged.call.cancel(true);
        }

        @Arbiter
        public void end(LI_Result r) {
            r.r1 = hedged.end();
            r.r2 = result.closed;
        }
    }

    /** A blocking copy is given up as a thread begins it. Result: whether its code ran, and how it ended. */
    @JCStressTest
    @Description("A blocking copy is given up as it begins: is what its code returns lost?")
    @Outcome(id = "true, value", expect = ACCEPTABLE, desc = "begun first; its end is what the code returned")
    @Outcome(id = "false, CancellationException", expect = ACCEPTABLE, desc = "given up first; the code does not run")
    @State
    public static class AbandonAgainstBegin {

        private final Runnable[] handedOver = new Runnable[1];
        private boolean ran;
        private final ThreadTask<Object> task = ThreadTask.start(this::code, runnable -> handedOver[0] = runnable);

        private Object code() {
            ran = true;
            return "value";
        }

        @Actor
        public void begin() {
            handedOver[0].run();
        }

        @Actor
        public void abandon() {
            task.abandon();
        }

        @Arbiter
        public void end(ZL_Result r) {
            r.r1 = ran;
            r.r2 = task.handle((value, error) ->
                            error == null ? value.toString() : error.getClass().getSimpleName())
                    .join();
        }
    }
}
