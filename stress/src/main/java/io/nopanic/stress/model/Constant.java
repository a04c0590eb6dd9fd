package io.nopanic.stress.model;

import java.util.random.RandomGenerator;

/** Chance that always says the same, so that a model knows it. */
record Constant(double number) implements RandomGenerator {

    @Override
    public long nextLong() {
        return 0;
    }

    @Override
    public double nextDouble() {
        return number;
    }
}
