package io.nopanic.engine;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.spi.Policy;
import io.nopanic.stress.interleavings.HandTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Policies around a bulkhead with one permit, which shows whether every permit comes back once, and no more. */
final class Guarded {

    final HandTime hand = new HandTime();
    final Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(1).maxQueued(1).build();
    private final Chain chain;

    Guarded(Policy... aroundTheBulkhead) {
        List<Policy> policies = new ArrayList<>(List.of(aroundTheBulkhead));
        policies.add(bulkhead);
        chain = Chain.link("pipeline", hand.time, Runnable::run, policies);
    }

    CompletableFuture<String> call(Supplier<? extends CompletionStage<String>> body) {
        return chain.callAsync(body, Context.UNREAD_NANOS);
    }

    /** Takes the permit for a call that is made by hand. */
    HeldPermits admit() {
        try {
            return chain.admit();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Takes the permit. */
    void occupy() {
        bulkhead.tryAcquire(HandTime.START_NANOS);
    }

    /** Gives it back. */
    void release() {
        Waits.wake(bulkhead.settle(0, HandTime.START_NANOS, HandTime.START_NANOS, "result", null));
    }

    /** The result, or the kind of error, or that there is neither. */
    static String end(CompletableFuture<String> call) {
        if (!call.isDone()) {
            return "pending";
        }
        return call.handle((value, error) ->
                        error == null ? value : error.getClass().getSimpleName())
                .join();
    }
}
