package io.nopanic.stress.interleavings;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.stress.Verdict;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;

class ReportTest {

    private static final String TEST = "io.nopanic.bulkhead.QueueRaces.ReleaseAgainstJoin";

    private final Report report =
            new Report(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

    @Test
    void anOutcomeThatMustNotBeIsAFault() {
        assertThat(verdict(result(Status.NORMAL, "nonsense"))).isEqualTo(Verdict.FAULT);
    }

    @Test
    void itIsAFaultAlsoIfTheTestDidNotEnd() {
        assertThat(verdict(result(Status.TIMEOUT_ERROR, "nonsense"))).isEqualTo(Verdict.FAULT);
    }

    @Test
    void anExceptionInAnActorIsAFault() {
        assertThat(verdict(new TestResult(Status.TEST_ERROR))).isEqualTo(Verdict.FAULT);
    }

    @Test
    void soIsOneInTheFirstTryBeforeTheTest() {
        assertThat(verdict(new TestResult(Status.CHECK_TEST_ERROR))).isEqualTo(Verdict.FAULT);
    }

    @Test
    void aTestThatDidNotRunOrNotEndIsNotJudged() {
        for (Status status : List.of(Status.NORMAL, Status.TIMEOUT_ERROR, Status.API_MISMATCH, Status.VM_ERROR)) {
            assertThat(verdict(new TestResult(status))).isEqualTo(Verdict.UNJUDGED);
        }
    }

    @Test
    void whatWasNotRunAtAllIsNotJudged() {
        assertThat(report.summary(1)).isEqualTo(Verdict.UNJUDGED);
    }

    private Verdict verdict(TestResult result) {
        report.print(TEST, List.of(result));
        return report.summary(1);
    }

    private static TestResult result(Status status, String outcome) {
        TestResult result = new TestResult(status);
        result.addState(outcome, 1);
        return result;
    }
}
