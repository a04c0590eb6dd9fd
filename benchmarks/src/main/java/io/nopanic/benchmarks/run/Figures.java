package io.nopanic.benchmarks.run;

/**
 * All that was measured.
 *
 * @param results calls
 * @param newer calls, on a newer Java
 * @param others what is no single call
 */
public record Figures(Results results, Results newer, Others others) {}
