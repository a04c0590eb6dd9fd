package io.nopanic.spi;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a policy that decides whether another copy of a call is started before the first has ended: hedge. The engine runs
 * the copies, takes the first good one, and cancels the rest.
 */
public non-sealed interface Race extends Policy {

    /** What {@link #nextCopyDelayNanos} answers when no further copy shall be started by time. */
    long NEVER = -1;

    /** A new call begins. */
    default void onCall() {}

    /**
     * How long after copy {@code copy} was started the next one may follow.
     *
     * @param copy the number of the copy that was started last; the original is 0
     * @return nanoseconds (0 or more), or {@link #NEVER}
     */
    long nextCopyDelayNanos(int copy);

    /**
     * Whether copy {@code copy} may be started now, because its time has come or because another copy has failed. Spends from the
     * budget if so, and says so in an event. {@code false} if so many copies are not allowed at all.
     *
     * @param copy its number, from 1
     * @param nowNanos the time
     */
    boolean mayStart(int copy, long nowNanos);

    /** Whether this end of a copy is good enough to be the call's. */
    boolean accepts(@Nullable Object result, @Nullable Throwable error);

    /**
     * Whether the next copy may start at once because one ended so and was not accepted. If not, the next one starts by time, and only
     * while another still runs; once none runs, the call ends as the original did.
     */
    default boolean startsNextAfter(@Nullable Object result, @Nullable Throwable error) {
        return true;
    }

    /**
     * A copy's result was taken as the call's.
     *
     * @param copy its number
     * @param latencyNanos how long that copy took
     * @param elapsedNanos how long the call took, from the start of the original
     * @param nowNanos the time
     */
    void onWon(int copy, long latencyNanos, long elapsedNanos, long nowNanos);

    /** A copy that was no longer wanted failed. */
    void onLoserFailed(int copy, Throwable error, long nowNanos);

    /** Where the copies of blocking calls run. */
    Executor executor();
}
