package io.nopanic.engine;

import java.util.concurrent.CompletableFuture;

/** Something under way that can be given up: it is told to stop, and its promise completes when it really has ended. */
abstract class Work<T> extends CompletableFuture<T> {

    /** Tells the work to stop. */
    abstract void abandon();

    /** Stages derived from this one are plain: completing or cancelling one does not give the work up. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
