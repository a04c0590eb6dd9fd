package io.nopanic.ratelimit;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.testkit.VirtualTime;
import org.jspecify.annotations.Nullable;

/** Plays the engine's part by hand, so that a test sees every answer of a limiter. */
final class Desk {

    private final Admission admission;
    private final VirtualTime time;

    Desk(Admission admission, VirtualTime time) {
        this.admission = admission;
        this.time = time;
    }

    /** Whether a call that cannot wait gets in. */
    boolean letsIn() {
        return ask(0).isIn();
    }

    /** How many of so many calls get in at once. */
    int letsIn(int calls) {
        int in = 0;
        for (int i = 0; i < calls; i++) {
            in += letsIn() ? 1 : 0;
        }
        return in;
    }

    Visitor ask() {
        return ask(Long.MAX_VALUE);
    }

    /** A call that can wait no longer than this. */
    Visitor ask(long limitNanos) {
        Visitor visitor = new Visitor();
        long permit = admission.tryAcquire(time.nanos());
        visitor.entry = permit >= 0
                ? new Entry.Admitted(permit)
                : admission.enter(new EntryRequest("desk", time.nanos(), limitNanos, visitor));
        return visitor;
    }

    /** A call at the desk. */
    final class Visitor implements Waiter {

        private Entry entry = new Entry.Admitted(0);
        private int wakeUps;

        @Override
        public void wake() {
            wakeUps++;
        }

        /** How often it was woken since it was last asked. */
        int wakeUps() {
            int seen = wakeUps;
            wakeUps = 0;
            return seen;
        }

        boolean isIn() {
            return entry instanceof Entry.Admitted;
        }

        boolean waits() {
            return entry instanceof Entry.Waiting;
        }

        RejectedException refusal() {
            return entry instanceof Entry.Refused refused ? refused.reason() : ((Entry.Waiting) entry).refusal();
        }

        long check() {
            return ((Entry.Waiting) entry).check(time.nanos());
        }

        @Nullable Waiter leave() {
            return ((Entry.Waiting) entry).leave(time.nanos());
        }
    }
}
