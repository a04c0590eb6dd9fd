package io.nopanic.stress;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of a run, and the exit code that says it. The codes are none that the JVM or the command line's library end with by themselves (1 and 2),
 * so that a program that breaks down is not taken for one that has found a fault. From the best to the worst.
 */
public enum Verdict {

    /** All was seen that has to be seen, and nothing that must not be. */
    PASSED(0, "nothing was wrong, and nothing was left out"),

    /** Nothing was wrong in what was seen, but it was too little to say that all is well. */
    UNJUDGED(
            20,
            "it cannot be said: too little happened, a test did not run or not end, nothing has this name, the program broke down"),

    /** Something was seen that must not be. */
    FAULT(10, "a fault was found");

    private final int exitCode;
    private final String meaning;

    Verdict(int exitCode, String meaning) {
        this.exitCode = exitCode;
        this.meaning = meaning;
    }

    /** The code that a process ends with. */
    public int exitCode() {
        return exitCode;
    }

    /** What a process has said by its exit code; one that is none of these stands for a process that broke down. */
    public static Verdict of(int exitCode) {
        for (Verdict verdict : values()) {
            if (verdict.exitCode == exitCode) {
                return verdict;
            }
        }
        return UNJUDGED;
    }

    /** That of two runs together: the worse one. */
    public Verdict and(Verdict other) {
        return other.compareTo(this) > 0 ? other : this;
    }

    /** The codes with what they mean, for a command's help. */
    public static Map<String, String> exitCodes() {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (Verdict verdict : values()) {
            meanings.put(String.valueOf(verdict.exitCode), verdict.meaning);
        }
        return meanings;
    }
}
