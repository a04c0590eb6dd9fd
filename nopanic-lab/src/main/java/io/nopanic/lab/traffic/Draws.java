package io.nopanic.lab.traffic;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Random numbers that are the same for the same seed on every JDK: the bits are those of a named algorithm, and what is made of them is
 * computed here, with functions whose results are specified to the last bit. Not thread-safe.
 */
final class Draws {

    private static final String ALGORITHM = "L64X128MixRandom";
    private static final double UNIT = 0x1.0p-53;

    private final RandomGenerator bits;
    private double spareNormal = Double.NaN;

    Draws(long seed) {
        bits = RandomGeneratorFactory.of(ALGORITHM).create(seed);
    }

    /** From 0, inclusive, to 1, exclusive. */
    double uniform() {
        return (bits.nextLong() >>> 11) * UNIT;
    }

    /** Whether something happens that has this probability. */
    boolean chance(double probability) {
        return probability >= 1 || (probability > 0 && uniform() < probability);
    }

    /** With mean 1. */
    double exponential() {
        return -StrictMath.log(1 - uniform());
    }

    /** With mean 0 and variance 1 (Marsaglia's polar method). */
    double normal() {
        if (!Double.isNaN(spareNormal)) {
            double spare = spareNormal;
            spareNormal = Double.NaN;
            return spare;
        }
        for (; ; ) {
            double x = 2 * uniform() - 1;
            double y = 2 * uniform() - 1;
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                double scale = Math.sqrt(-2 * StrictMath.log(square) / square);
                spareNormal = y * scale;
                return x * scale;
            }
        }
    }

    /** A number whose logarithm is normal; half of them are above the median. */
    double lognormal(double median, double sigma) {
        return sigma == 0 ? median : median * StrictMath.exp(sigma * normal());
    }
}
