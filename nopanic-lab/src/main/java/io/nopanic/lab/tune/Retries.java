package io.nopanic.lab.tune;

/**
 * How often to try again.
 *
 * @param attempts in all, the first included
 * @param budgetRatio how many retries there may be per call, over all calls
 */
public record Retries(int attempts, double budgetRatio) {}
