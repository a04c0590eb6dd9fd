package io.nopanic.stress.script;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Something is not as it has to be. */
public final class Divergence extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong, in words. */
    public Divergence(String message) {
        super(message);
    }

    /** Checks that something holds. */
    public static void unless(boolean holds, String message) {
        if (!holds) {
            throw new Divergence(message);
        }
    }

    /** Checks that what was to be expected happened. */
    public static void unlessSame(String what, @Nullable Object expected, @Nullable Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new Divergence(what + ": expected " + expected + " but was " + actual);
        }
    }
}
