package io.nopanic.spi;

import org.jspecify.annotations.Nullable;

/**
 * The shape of a policy that may answer in place of the call: fallback, cache. It says what to do; the engine does it, so user code
 * runs outside the policy.
 */
public non-sealed interface Substitution extends Policy {

    /** Whether failures end here, so that policies further out never see them; for warnings about pipelines. */
    default boolean hidesFailures() {
        return true;
    }

    /**
     * Before the call: an answer, or {@code null} to make the call.
     *
     * @param nowNanos the time
     */
    default @Nullable Substitute before(long nowNanos) {
        return null;
    }

    /**
     * After the call: an answer in place of its own, or {@code null} to let that stand.
     *
     * @param token what {@link Substitute.Proceed} carried, else {@code null}
     * @param nowNanos the time
     * @param result what the call returned, {@code null} if it threw
     * @param error what it threw, {@code null} if it returned
     */
    @Nullable Substitute after(
            @Nullable Object token, long nowNanos, @Nullable Object result, @Nullable Throwable error);
}
