package io.nopanic.pipeline;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Substitution;
import io.nopanic.time.Nanos;
import java.util.ArrayList;
import java.util.List;

/** Finds orders and combinations of policies that are known to be wrong. */
final class OrderWarnings {

    private OrderWarnings() {}

    /** What is wrong with this order, outermost first, in words; empty if nothing is. */
    static List<String> of(List<Policy> policies) {
        List<String> warnings = new ArrayList<>();
        for (int outer = 0; outer < policies.size(); outer++) {
            for (int inner = outer + 1; inner < policies.size(); inner++) {
                check(policies.get(outer), policies.get(inner), warnings);
            }
            checkWhatJudges(policies, outer, warnings);
            checkWhatStarves(policies, policies.get(outer), warnings);
        }
        return List.copyOf(warnings);
    }

    private static void check(Policy outer, Policy inner, List<String> warnings) {
        if (inner instanceof Substitution substitution && substitution.hidesFailures()) {
            if (outer instanceof Repetition) {
                warnings.add(
                        inner + " is inside " + outer + ": it answers every failure, so nothing is ever retried. Put "
                                + inner.kind() + " outermost.");
            }
            if (judges(outer)) {
                warnings.add(inner + " is inside " + outer + ": it answers every failure, so the " + outer.kind()
                        + " never sees one. Put the " + inner.kind() + " outermost.");
            }
        }
        if (judges(outer) && inner instanceof Repetition) {
            warnings.add(inner + " is inside " + outer + ": the " + outer.kind()
                    + " sees only what is left when all retries have failed. Put the " + outer.kind()
                    + " inside the " + inner.kind() + ".");
        }
        if (outer instanceof Deadline limit
                && inner instanceof Deadline longer
                && longer.timeoutNanos() >= limit.timeoutNanos()) {
            warnings.add(inner + " allows " + Nanos.toDuration(longer.timeoutNanos()) + " but is inside " + outer
                    + ", which allows " + Nanos.toDuration(limit.timeoutNanos())
                    + ": it never comes into effect. Make the inner one shorter.");
        }
    }

    /** A timeout further out ends a hanging call by giving it up, which says nothing; only one further in makes it a failure. */
    private static void checkWhatJudges(List<Policy> policies, int at, List<String> warnings) {
        boolean timeoutOutside = policies.subList(0, at).stream().anyMatch(Deadline.class::isInstance);
        boolean timeoutInside = policies.subList(at, policies.size()).stream().anyMatch(Deadline.class::isInstance);
        if (judges(policies.get(at)) && timeoutOutside && !timeoutInside) {
            warnings.add(policies.get(at)
                    + " has a timeout around it and none inside: calls that hang look cancelled to it and never count as"
                    + " failures. Put a timeout inside the " + policies.get(at).kind() + ".");
        }
    }

    /** Where calls hang, no more of them end at one time than run at one time. */
    private static void checkWhatStarves(List<Policy> policies, Policy judge, List<String> warnings) {
        if (!(judge instanceof Admission admission) || admission.hangingCallsToOpen() == 0) {
            return;
        }
        for (Policy policy : policies) {
            if (policy instanceof Admission narrow && narrow.concurrencyLimit() < admission.hangingCallsToOpen()) {
                warnings.add(narrow + " lets " + narrow.concurrencyLimit() + " calls run at one time, and it takes "
                        + admission.hangingCallsToOpen() + " hanging calls to open " + judge
                        + ": if the dependency hangs, it takes several timeouts one after the other until that opens. Let more"
                        + " calls run, or fewer be enough.");
            }
        }
    }

    private static boolean judges(Policy policy) {
        return policy instanceof Admission admission && admission.judgesOutcomes();
    }
}
