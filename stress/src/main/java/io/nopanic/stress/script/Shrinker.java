package io.nopanic.stress.script;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing script short. First by delta debugging (Zeller and Hildebrandt, <i>Simplifying and Isolating Failure-Inducing Input</i>,
 * 2002): takes out ever smaller parts for as long as what is left still fails, until no single line can go. Then by making the numbers in each line
 * small. Both again until nothing changes.
 */
final class Shrinker {

    private final Predicate<List<Step>> fails;

    Shrinker(Predicate<List<Step>> fails) {
        this.fails = fails;
    }

    List<Step> shrink(List<Step> failing) {
        List<Step> before;
        List<Step> now = failing;
        do {
            before = now;
            now = simplify(takeOut(now));
        } while (!now.equals(before));
        return now;
    }

    private List<Step> takeOut(List<Step> failing) {
        List<Step> now = failing;
        int size = Math.max(1, now.size() / 2);
        while (true) {
            boolean shorter = false;
            for (int from = 0; from < now.size(); ) {
                List<Step> without = new ArrayList<>(now.subList(0, from));
                without.addAll(now.subList(Math.min(now.size(), from + size), now.size()));
                if (fails.test(without)) {
                    now = without;
                    shorter = true;
                } else {
                    from += size;
                }
            }
            if (size == 1 && !shorter) {
                return now;
            }
            size = Math.max(1, size / 2);
        }
    }

    private List<Step> simplify(List<Step> failing) {
        List<Step> now = new ArrayList<>(failing);
        for (int line = 0; line < now.size(); line++) {
            for (Step simpler : simplerThan(now.get(line))) {
                Step before = now.set(line, simpler);
                if (fails.test(now)) {
                    break;
                }
                now.set(line, before);
            }
        }
        return now;
    }

    /** The simplest first. */
    private static List<Step> simplerThan(Step step) {
        List<Step> simpler = new ArrayList<>();
        if (step.which() != 0 || step.detail() != 0) {
            simpler.add(step.with(0, 0));
            simpler.add(step.with(0, step.detail()));
            simpler.add(step.with(step.which(), 0));
            simpler.removeIf(step::equals);
        }
        long nanos = step.afterNanos();
        if (nanos > 0) {
            simpler.add(step.after(0));
            for (long unit = 1_000_000_000; unit > 1; unit /= 10) {
                if (nanos % unit != 0 && nanos > unit) {
                    simpler.add(step.after(nanos / unit * unit));
                }
            }
        }
        return simpler;
    }
}
