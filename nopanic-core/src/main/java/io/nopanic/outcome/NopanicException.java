package io.nopanic.outcome;

import org.jspecify.annotations.Nullable;

/**
 * The parent of all exceptions that nopanic itself raises in place of a call's result. Immutable, without a stack trace and
 * without suppressed exceptions, so an instance may be shared and costs little; serializable.
 */
public abstract class NopanicException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String policy;
    private final String pipeline;

    /**
     * @param policy the name of the policy that raised it
     * @param pipeline the name of the pipeline in which it did
     * @param detail what happened, in words
     * @param cause the last failure seen, if that explains this one
     */
    protected NopanicException(String policy, String pipeline, String detail, @Nullable Throwable cause) {
        super(detail + " [policy '" + policy + "', pipeline '" + pipeline + "']", cause, false, false);
        this.policy = policy;
        this.pipeline = pipeline;
    }

    /** The name of the policy that raised this. */
    public final String policy() {
        return policy;
    }

    /** The name of the pipeline in which it did. */
    public final String pipeline() {
        return pipeline;
    }
}
