package io.nopanic.stress.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.stress.Verdict;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialsTest {

    private static final Path FAULTY = Path.of("faulty");
    private static final List<String> COMMAND = List.of("model", "breaker");

    private final Deque<Verdict> ofTheCodeAsItIs = new ArrayDeque<>();
    private final Deque<Verdict> ofTheFaultyCode = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private int controls;
    private int attempts;
    private final Trials trials = new Trials(
            (classes, command) -> {
                assertThat(command).isEqualTo(COMMAND);
                if (classes == null) {
                    controls++;
                    return next(ofTheCodeAsItIs, Verdict.PASSED);
                }
                attempts++;
                return next(ofTheFaultyCode, Verdict.PASSED);
            },
            told::add);

    private static Verdict next(Deque<Verdict> verdicts, Verdict then) {
        return verdicts.isEmpty() ? then : verdicts.remove();
    }

    @Test
    void aFaultThatIsFoundIsCaught() {
        ofTheFaultyCode.add(Verdict.FAULT);
        assertThat(trials.control(COMMAND, 1)).isEqualTo(Verdict.PASSED);
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.PASSED);
        assertThat(controls).isEqualTo(1);
    }

    @Test
    void aFaultThatIsNeverFoundIsMissed() {
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.FAULT);
        assertThat(attempts).isEqualTo(Trials.ATTEMPTS);
    }

    @Test
    void aCommandThatCouldNotJudgeHasCaughtNothing() {
        for (int i = 0; i < Trials.ATTEMPTS; i++) {
            ofTheFaultyCode.add(Verdict.UNJUDGED);
        }
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.UNJUDGED);
    }

    @Test
    void aCommandThatFindsTheSameWithoutTheFaultIsNotTried() {
        ofTheCodeAsItIs.add(Verdict.FAULT);
        assertThat(trials.control(COMMAND, 1)).isEqualTo(Verdict.FAULT);
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.UNJUDGED);
        assertThat(attempts).isZero();
        assertThat(told).anyMatch(line -> line.startsWith("FAILED without a fault"));
    }

    @Test
    void whoeverNeedsSeveralRunsHasToPassInAsManyWithoutTheFault() {
        ofTheFaultyCode.addAll(List.of(Verdict.PASSED, Verdict.PASSED, Verdict.FAULT));
        assertThat(trials.control(COMMAND, 1)).isEqualTo(Verdict.PASSED);
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.PASSED);
        assertThat(controls).isEqualTo(3);
    }

    @Test
    void whatFailsNowAndThenWithAndWithoutTheFaultCatchesNothing() {
        ofTheFaultyCode.addAll(List.of(Verdict.PASSED, Verdict.FAULT));
        ofTheCodeAsItIs.addAll(List.of(Verdict.PASSED, Verdict.FAULT));
        assertThat(trials.control(COMMAND, 1)).isEqualTo(Verdict.PASSED);
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.UNJUDGED);
    }

    @Test
    void aCommandRunsOnceOnTheCodeAsItIsHoweverManyFaultsItCatches() {
        ofTheFaultyCode.addAll(List.of(Verdict.FAULT, Verdict.FAULT));
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.PASSED);
        assertThat(trials.trial(FAULTY, COMMAND)).isEqualTo(Verdict.PASSED);
        assertThat(controls).isEqualTo(1);
    }
}
