package io.nopanic.stress.model;

import java.util.random.RandomGenerator;

/** A share as a fraction, so that the model can compare in whole numbers. */
record Share(int of, int parts) {

    /** More than any share can be: off. */
    static final Share OFF = new Share(2, 1);

    static Share draw(RandomGenerator random) {
        int[] choices = {1, 2, 3, 4, 5, 7, 10, 20, 100};
        int parts = choices[random.nextInt(choices.length)];
        return new Share(random.nextInt(1, parts + 1), parts);
    }

    boolean isOn() {
        return of <= parts;
    }

    boolean reachedBy(long count, long all) {
        return count * parts >= of * all;
    }

    double value() {
        return (double) of / parts;
    }

    @Override
    public String toString() {
        return isOn() ? of + "/" + parts : "off";
    }
}
