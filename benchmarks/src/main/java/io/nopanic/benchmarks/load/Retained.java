package io.nopanic.benchmarks.load;

import io.nopanic.benchmarks.contestants.Held;
import java.util.Map;
import java.util.function.Supplier;
import org.openjdk.jol.info.GraphLayout;

/**
 * The process that finds out what a breaker holds, new and with a million calls in its window: how much more two breakers reach than one of
 * them, so that what they share does not count. Prints a line for each kind of breaker.
 */
public final class Retained {

    /** What a line begins with. */
    public static final String MARK = "retained ";

    /** How many calls are in the window. */
    public static final int CALLS = 1_000_000;

    private Retained() {}

    /** Measures all. */
    public static void main(String[] arguments) throws Exception {
        for (Map.Entry<String, Supplier<Held>> kind : Held.kinds().entrySet()) {
            Held one = kind.getValue().get();
            Held other = kind.getValue().get();
            long before = bytes(one, other);
            one.call(CALLS);
            other.call(CALLS);
            System.out.println(MARK + before + " " + bytes(one, other) + " " + kind.getKey());
        }
        System.exit(0); // peers leave threads behind
    }

    private static long bytes(Held one, Held other) {
        return GraphLayout.parseInstance(one.breaker(), other.breaker()).totalSize()
                - GraphLayout.parseInstance(one.breaker()).totalSize();
    }
}
