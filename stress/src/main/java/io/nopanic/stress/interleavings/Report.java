package io.nopanic.stress.interleavings;

import io.nopanic.stress.Verdict;
import java.io.PrintStream;
import java.util.EnumSet;
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

    private static final Set<Status> THROWN = EnumSet.of(Status.TEST_ERROR, Status.CHECK_TEST_ERROR);

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
        Verdict verdict = verdict(info, outcomes, runs);
        String word = switch (verdict) {
            case PASSED -> "ok    ";
            case UNJUDGED -> "UNSURE";
            case FAULT -> "FAILED";
        };
        out.printf("%n%s %s%n       %s%n", word, shortName(test), info.description());
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
        if (verdict == Verdict.PASSED) {
            passed++;
        } else if (verdict == Verdict.FAULT) {
            failed++;
        }
    }

    /** A fault is an outcome that must not be, and an exception in an actor, also in one that runs alone. A test that did not end says nothing. */
    private static Verdict verdict(TestInfo info, Set<String> outcomes, List<TestResult> runs) {
        boolean allowed =
                outcomes.stream().allMatch(outcome -> expectation(info, outcome).expect() == Expect.ACCEPTABLE);
        if (!allowed || runs.stream().anyMatch(run -> THROWN.contains(run.status()))) {
            return Verdict.FAULT;
        }
        boolean ran = !outcomes.isEmpty() && runs.stream().allMatch(run -> run.status() == Status.NORMAL);
        return ran ? Verdict.PASSED : Verdict.UNJUDGED;
    }

    /** What came of all, after so many tests should have been run. */
    Verdict summary(int tests) {
        int unjudged = tests - passed - failed;
        out.printf("%ninterleavings: %d passed, %d failed, %d not run or not to the end%n", passed, failed, unjudged);
        return failed > 0 ? Verdict.FAULT : unjudged > 0 ? Verdict.UNJUDGED : Verdict.PASSED;
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
