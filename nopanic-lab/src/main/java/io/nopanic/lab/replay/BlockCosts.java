package io.nopanic.lab.replay;

/**
 * What a policy did in each of the {@link Blocks}.
 *
 * @param wronglyRefused refused calls that the log has as successful
 * @param failuresSent calls let in that the log has as failed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares these
record BlockCosts(long[] wronglyRefused, long[] failuresSent) {}
