package io.nopanic.outcome;

/**
 * The calling thread was interrupted while it waited, in a form of call whose signature has no {@link InterruptedException}. The
 * thread's interrupt flag is set.
 */
public final class CallInterruptedException extends NopanicException {

    private static final long serialVersionUID = 1L;

    /**
     * @param pipeline the name of the pipeline
     */
    public CallInterruptedException(String pipeline) {
        super(pipeline, pipeline, "interrupted while waiting", null);
    }
}
