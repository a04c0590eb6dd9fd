package io.nopanic.lab.predict;

/** Where a value lies with a probability of 95 %. Either end may be infinite. */
public record Interval(double low, double high) {}
