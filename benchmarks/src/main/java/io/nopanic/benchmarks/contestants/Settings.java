package io.nopanic.benchmarks.contestants;

import java.time.Duration;

/** The settings that all contestants share, so that they do the same work. */
final class Settings {

    static final Duration WINDOW = Duration.ofSeconds(30);
    static final int COUNT_WINDOW = 100;

    /** Two thirds: half way between the third that fails and all. */
    static final int FAILING_PERCENT = 67;

    static final double FAILING = FAILING_PERCENT / 100.0;

    /** So many calls in a time window are judged. With 32 threads, fewer could be mostly failed ones by chance. */
    static final int MINIMUM_CALLS = 1000;

    /** An open breaker stays open. */
    static final Duration OPEN = Duration.ofHours(1);

    static final int ATTEMPTS = 3;

    /** So many permits in a second that none is ever missing. */
    static final int PLENTY = 1_000_000_000;

    /** More than there are threads. */
    static final int CONCURRENT = 64;

    /** Long enough for a thread that the machine lets wait. */
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    private Settings() {}
}
