package io.nopanic.benchmarks.contestants;

import java.util.function.Supplier;

/**
 * One thing to measure.
 *
 * @param group what work it does
 * @param name who does it
 * @param maker makes a fresh one
 */
public record Contestant(Group group, String name, Supplier<? extends Subject> maker) {

    /** What it is called on the command line. */
    public String key() {
        return group.key() + "/" + name;
    }

    /** Whether it is one of ours. */
    public boolean isOurs() {
        return name.startsWith("nopanic");
    }

    /** Makes a guard around blocking calls, for a contestant that is one. */
    public Guard guard() {
        return (Guard) maker.get();
    }
}
