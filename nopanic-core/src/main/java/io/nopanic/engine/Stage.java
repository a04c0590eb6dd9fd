package io.nopanic.engine;

/**
 * One policy in its place in a pipeline, or the guarded code at the end. Immutable and shared by all calls.
 */
abstract class Stage extends Step {

    /** What a staged call does next. */
    enum Move {
        /** Go on with the next stage further in. */
        DEEPER,
        /** Go back to the stage further out; result or error are set. */
        OUT,
        /** Nothing: the call is parked and belongs to whoever unparks it. */
        PARKED
    }

    Stage(Context context, boolean readsTimeOnEntry) {
        super(context, readsTimeOnEntry);
    }

    /** A staged call arrives from further out. */
    abstract Move down(StagedCall<?> call);

    /**
     * A staged call that parked here was unparked, for a good reason or none. Here: it goes on once the stage that it is attached to has
     * ended.
     */
    Move resume(StagedCall<?> call) {
        return Waits.parkUntilArrived(call);
    }

    /** A staged call comes back from further in. The innermost stage of a segment never sees this. */
    Move up(StagedCall<?> call) {
        throw new AssertionError(this);
    }

    /** How many numbers this stage remembers per staged call. */
    int slots() {
        return 0;
    }
}
