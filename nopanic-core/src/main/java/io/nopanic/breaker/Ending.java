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

    private final boolean judged;
    private final boolean failed;
    private final boolean timeout;
    private final boolean slow;

    Ending(boolean judged, boolean failed, boolean timeout, boolean slow) {
        this.judged = judged;
        this.failed = failed;
        this.timeout = timeout;
        this.slow = slow;
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
        return failed || slow;
    }
}
