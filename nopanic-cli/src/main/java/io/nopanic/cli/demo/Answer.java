package io.nopanic.cli.demo;

/**
 * What a call returned.
 *
 * @param text the answer
 * @param cached whether it was kept from earlier, and the dependency not asked
 */
record Answer(String text, boolean cached) {

    /** The answer that the caller has from before the outage. */
    static final Answer KEPT = new Answer("rates of this morning", true);
}
