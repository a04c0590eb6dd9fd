package io.nopanic.benchmarks.contestants;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whether anything was refused in this process. Whoever refuses says so, which costs the calls nothing that are let in. Thread-safe. */
public final class Refusals {

    private static final AtomicBoolean SEEN = new AtomicBoolean();
    private static final Set<Group> TIMEOUTS = EnumSet.of(Group.TIMEOUT, Group.TIMEOUT_FAILING);

    private Refusals() {}

    /**
     * Notes one. Only the first writes, so that threads that are refused do not contend for it.
     *
     * @return what a guard returns that refuses without an exception
     */
    public static Object note() {
        if (!SEEN.getPlain()) {
            SEEN.set(true);
        }
        return Guard.REFUSED;
    }

    /** Forgets those so far. */
    public static void forget() {
        SEEN.set(false);
    }

    /**
     * Looks whether there was one since the last {@link #forget} where nothing may be refused. A call that a timeout ended on a machine that stood still is none: it took more time than others.
     *
     * @throws IllegalStateException if so
     */
    public static void check(Contestant contestant) {
        boolean mayBe = contestant.group().calls() == Group.Calls.REFUSED || TIMEOUTS.contains(contestant.group());
        if (!mayBe && SEEN.get()) {
            throw new IllegalStateException(
                    contestant.key() + " has refused calls, which took it less time than making them");
        }
    }
}
