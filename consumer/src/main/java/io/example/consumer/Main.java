package io.example.consumer;

import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.time.Duration;

/** Uses each library a little, as a user would, and fails if anything is not as it should be. */
public final class Main {

    private Main() {}

    /** Runs all of it. */
    public static void main(String[] args) {
        VirtualTime virtual = VirtualTime.create();
        Time time = virtual.time();
        long startNanos = time.nanos();
        virtual.advance(Duration.ofSeconds(3));
        check(time.nanos() - startNanos == 3_000_000_000L, "virtual time moves when told to");
        System.out.println("consumer: all is well, " + (Main.class.getModule().isNamed() ? "as a module" : "on the class path"));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("does not hold: " + what);
        }
    }
}
