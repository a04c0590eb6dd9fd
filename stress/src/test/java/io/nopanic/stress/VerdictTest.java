package io.nopanic.stress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerdictTest {

    /** What the JVM and the command line's library end with by themselves, and what a signal does. */
    @Test
    void aProgramThatBreaksDownHasNotFoundAFault() {
        for (int code : new int[] {1, 2, 126, 127, 134, 137, 143}) {
            assertThat(Verdict.of(code)).isEqualTo(Verdict.UNJUDGED);
        }
    }

    @Test
    void eachVerdictIsKnownByItsExitCode() {
        for (Verdict verdict : Verdict.values()) {
            assertThat(Verdict.of(verdict.exitCode())).isEqualTo(verdict);
        }
        assertThat(Verdict.PASSED.exitCode()).isZero();
    }

    @Test
    void aFaultOutweighsWhatCouldNotBeJudged() {
        assertThat(Verdict.UNJUDGED.and(Verdict.FAULT)).isEqualTo(Verdict.FAULT);
        assertThat(Verdict.FAULT.and(Verdict.UNJUDGED)).isEqualTo(Verdict.FAULT);
        assertThat(Verdict.PASSED.and(Verdict.UNJUDGED)).isEqualTo(Verdict.UNJUDGED);
        assertThat(Verdict.PASSED.and(Verdict.PASSED)).isEqualTo(Verdict.PASSED);
    }
}
