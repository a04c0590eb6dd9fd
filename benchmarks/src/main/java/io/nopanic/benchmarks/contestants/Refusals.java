package io.nopanic.benchmarks.contestants;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether anything was refused in this process. Whoever refuses says so, which costs the calls nothing that are let in. Thread-safe. */
public final class Refusals {

    private static final AtomicReference<@Nullable Object> FIRST = new AtomicReference<>();
    private static final Set<Group> TIMEOUTS = EnumSet.of(Group.TIMEOUT, Group.TIMEOUT_FAILING);

    private Refusals() {}

    /**
     * Notes one without an exception.
     *
     * @return what a guard returns that refuses so
     */
    public static Object note() {
        keep(Guard.REFUSED);
        return Guard.REFUSED;
    }

    /** Notes one. */
    public static void note(Exception refused) {
        keep(refused);
    }

    /** Only the first writes, so that threads that are refused do not contend for it. */
    private static void keep(Object refusal) {
        if (FIRST.getPlain() == null) {
            FIRST.compareAndSet(null, refusal);
        }
    }

    /** Forgets those so far. */
    public static void forget() {
        FIRST.set(null);
    }

    /**
     * Looks whether there was one since the last {@link #forget} where nothing may be refused. A call that a timeout ended on a machine that stood still is none: it took more time than others.
     *
     * @throws IllegalStateException if so
     */
    public static void check(Contestant contestant) {
        boolean mayBe = contestant.group().calls() == Group.Calls.REFUSED || TIMEOUTS.contains(contestant.group());
        Object first = FIRST.get();
        if (!mayBe && first != null) {
            throw new IllegalStateException(
                    contestant.key() + " has refused calls, which took it less time than making them",
                    first instanceof Exception exception ? exception : null);
        }
    }
}
