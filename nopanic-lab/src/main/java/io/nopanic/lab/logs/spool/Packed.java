package io.nopanic.lab.logs.spool;

import io.nopanic.lab.call.Ending;

/** A call as {@value #LONGS} numbers: its start, its duration, and the rest in one. */
final class Packed {

    static final int LONGS = 3;
    static final int BYTES = LONGS * Long.BYTES;

    /** Attempts from here on are all the same. */
    static final int MAX_ATTEMPT = (1 << 24) - 1;

    private static final Ending[] ENDINGS = {Ending.SUCCESS, Ending.FAILURE, Ending.TIMEOUT, Ending.IGNORED, Ending.SLOW
    };

    private Packed() {}

    static long rest(Ending ending, int key, int attempt) {
        return ((long) key << 32) | ((long) code(ending) << 24) | Math.min(attempt, MAX_ATTEMPT);
    }

    static Ending ending(long rest) {
        return ENDINGS[(int) (rest >>> 24) & 0xff];
    }

    static int key(long rest) {
        return (int) (rest >>> 32);
    }

    static int attempt(long rest) {
        return (int) rest & MAX_ATTEMPT;
    }

    private static int code(Ending ending) {
        return switch (ending) {
            case SUCCESS -> 0;
            case FAILURE -> 1;
            case TIMEOUT -> 2;
            case IGNORED -> 3;
            case SLOW -> 4;
        };
    }
}
