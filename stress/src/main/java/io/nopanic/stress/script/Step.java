package io.nopanic.stress.script;

import io.nopanic.time.Nanos;

/**
 * One line of a script: after some time, something is done. It means something whatever came before, so that a script still runs when lines
 * have been taken out.
 *
 * @param afterNanos how much time passes first
 * @param what what is done
 * @param which to which of those that there are, counted around
 * @param detail how, for those kinds that have more than one way
 */
public record Step(long afterNanos, Enum<?> what, int which, int detail) {

    /** This with less time before it. */
    Step after(long nanos) {
        return new Step(nanos, what, which, detail);
    }

    /** This with other numbers. */
    Step with(int otherWhich, int otherDetail) {
        return new Step(afterNanos, what, otherWhich, otherDetail);
    }

    @Override
    public String toString() {
        String when = afterNanos == 0
                ? ""
                : "after " + Nanos.toDuration(afterNanos).toString().substring(2) + " ";
        return when + what + " which " + which + " detail " + detail;
    }
}
