package io.nopanic.benchmarks.contestants;

/** Something that can be measured, in one of the forms below. */
public interface Subject {}
