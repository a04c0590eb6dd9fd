package io.nopanic.spi;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a policy that may answer in place of the call: fallback, cache. It says what to do; the engine does it, so user code
 * runs outside the policy.
 *
 * <p>A call that {@link Substitute.Proceed} or {@link Substitute.Refresh} let go is told to {@link #after} exactly once with its token,
 * however it ends: also when it throws an {@link Error}, is cancelled, interrupted or given up, is refused by a policy further in, or
 * cannot be started at all.
 */
public non-sealed interface Substitution extends Policy {

    /** Whether failures end here, so that policies further out never see them; for warnings about pipelines. */
    default boolean hidesFailures() {
        return true;
    }

    /**
     * Whether this policy uses the time given to {@link #before}, and to {@link #after} of a call that returned. If not, the engine may
     * pass anything there; {@code after} of a call that threw is always told the time.
     */
    default boolean readsTime() {
        return true;
    }

    /** Where a blocking call runs that {@link Substitute.Refresh} wants in the background. */
    default Executor executor() {
        return DefaultExecutors.blocking();
    }

    /**
     * Before the call: an answer, or {@code null} to make the call.
     *
     * @param nowNanos the time, if {@link #readsTime()}
     * @param blocking whether the call runs on the calling thread and keeps it until it is over
     */
    default @Nullable Substitute before(long nowNanos, boolean blocking) {
        return null;
    }

    /**
     * After the call: an answer in place of its own, or {@code null} to let that stand.
     *
     * @param token what {@link Substitute.Proceed} or {@link Substitute.Refresh} carried, else {@code null}
     * @param nowNanos the time, if {@link #readsTime()} or if the call threw
     * @param result what the call returned, {@code null} if it threw
     * @param error what it threw, {@code null} if it returned
     */
    @Nullable Substitute after(@Nullable Object token, long nowNanos, @Nullable Object result, @Nullable Throwable error);
}
