package io.nopanic.engine;

import io.nopanic.spi.Race;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs copies of the rest of a call against each other; see {@link RacingCall}. */
final class RaceStage extends Stage {

    private final Race race;
    private final Step next;
    private final Segment inner;

    RaceStage(Context context, Race race, Step next, Segment inner) {
        super(context, false);
        this.race = race;
        this.next = next;
        this.inner = inner;
    }

    /** The copies of a blocking call run on the race's executor; the caller's thread waits for the first good one. */
    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        race.onCall();
        RacingCall<Object> racing = new RacingCall<>(
                context,
                race,
                () -> ThreadTask.start(
                        () -> Thrown.resultOf(next.call(body, Context.UNREAD_NANOS, deadlineNanos)), race.executor()));
        racing.start();
        try {
            Waits.awaitEnd(context.time(), racing, Long.MAX_VALUE);
        } catch (InterruptedException interrupted) {
            if (racing.cancel(true)) {
                throw interrupted;
            }
            // It has ended just now. The result is handed on, as if the interrupt had come after it.
            Thread.currentThread().interrupt();
        }
        return Waits.ended(racing);
    }

    @Override
    Move down(StagedCall<?> call) {
        if (call.isAbandoned()) {
            return call.fail(call.cancelled());
        }
        race.onCall();
        RacingCall<Object> racing = new RacingCall<>(context, race, () -> startCopy(call));
        racing.start();
        call.timeHasPassed();
        return Waits.await(call, racing);
    }

    private Work<Object> startCopy(StagedCall<?> call) {
        StagedCall<Object> copy = new StagedCall<>(context, inner, call.body, Context.UNREAD_NANOS, call.deadlineNanos);
        copy.run();
        return copy;
    }
}
