package io.nopanic.stress.interleavings;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/** Says in a few lines per test what was asked, how often each outcome was seen, and whether that is as it must be. */
final class Report {

    private final PrintStream out;
    private int passed;
    private int failed;

    Report(PrintStream out) {
        this.out = out;
    }

    /** What all runs of one test have seen together. */
    void print(String test, List<TestResult> runs) {
        TestInfo info = TestList.getInfo(test);
        Set<String> outcomes = new TreeSet<>();
        runs.forEach(run -> outcomes.addAll(run.getStateKeys()));
        boolean good = !outcomes.isEmpty()
                && runs.stream().allMatch(run -> run.status() == Status.NORMAL)
                && outcomes.stream()
                        .allMatch(outcome -> expectation(info, outcome).expect() == Expect.ACCEPTABLE);
        out.printf("%n%s %s%n       %s%n", good ? "ok    " : "FAILED", shortName(test), info.description());
        for (String outcome : outcomes) {
            StateCase expectation = expectation(info, outcome);
            boolean allowed = expectation.expect() == Expect.ACCEPTABLE;
            long times = runs.stream().mapToLong(run -> run.getCount(outcome)).sum();
            out.printf(
                    Locale.ROOT,
                    "       %,14d  %-40s %s%n",
                    times,
                    outcome,
                    allowed ? expectation.description() : "FORBIDDEN");
        }
        if (outcomes.isEmpty()) {
            out.println("       it did not run");
        }
        runs.stream()
                .filter(run -> run.status() != Status.NORMAL)
                .flatMap(run -> Stream.concat(Stream.of(run.status().toString()), run.getMessages().stream()))
                .distinct()
                .limit(20)
                .forEach(message -> out.println("       " + message));
        if (good) {
            passed++;
        } else {
            failed++;
        }
    }

    /** The exit code, after so many tests should have been run. */
    int summary(int tests) {
        out.printf("%ninterleavings: %d passed, %d failed, %d not run%n", passed, failed, tests - passed - failed);
        return passed == tests ? 0 : 1;
    }

    private static StateCase expectation(TestInfo info, String outcome) {
        return info.cases().stream()
                .filter(known -> known.matchesExactly(outcome))
                .findFirst()
                .orElse(info.unmatched());
    }

    private static String shortName(String test) {
        return test.replaceFirst("^io\\.nopanic\\.", "");
    }
}
