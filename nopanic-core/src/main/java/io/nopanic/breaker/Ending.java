package io.nopanic.breaker;

/** How a call ended, as a breaker sees it. A slow call is one that took at least the slow-call time. */
enum Ending {
    SUCCESS(true, false, false, false),
    SLOW_SUCCESS(true, false, false, true),
    FAILURE(true, true, false, false),
    SLOW_FAILURE(true, true, false, true),
    TIMEOUT(true, true, true, false),
    SLOW_TIMEOUT(true, true, true, true),
    /** Ignored or cancelled: it says nothing. */
    UNJUDGED(false, false, false, false);

    /** How many kinds there are. */
    static final int KINDS = 4;

    /** The {@link #kind()} of what is not {@linkplain #isBad() bad}. */
    static final int GOOD = 0;

    private static final int FAILED_BIT = 1;
    private static final int SLOW_BIT = 2;

    private final boolean judged;
    private final boolean failed;
    private final boolean timeout;
    private final boolean slow;
    private final int kind;

    Ending(boolean judged, boolean failed, boolean timeout, boolean slow) {
        this.judged = judged;
        this.failed = failed;
        this.timeout = timeout;
        this.slow = slow;
        kind = (failed ? FAILED_BIT : 0) | (slow ? SLOW_BIT : 0);
    }

    static Ending success(boolean slow) {
        return slow ? SLOW_SUCCESS : SUCCESS;
    }

    static Ending failure(boolean timeout, boolean slow) {
        if (timeout) {
            return slow ? SLOW_TIMEOUT : TIMEOUT;
        }
        return slow ? SLOW_FAILURE : FAILURE;
    }

    boolean isJudged() {
        return judged;
    }

    boolean isFailed() {
        return failed;
    }

    boolean isTimeout() {
        return timeout;
    }

    boolean isSlow() {
        return slow;
    }

    /** Whether it can be a reason to open. */
    boolean isBad() {
        return kind != GOOD;
    }

    /** From {@value #GOOD} to {@value #KINDS} - 1: neither failed nor slow, failed, slow, or both. */
    int kind() {
        return kind;
    }
}
