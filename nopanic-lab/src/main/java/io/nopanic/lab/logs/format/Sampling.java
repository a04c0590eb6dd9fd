package io.nopanic.lab.logs.format;

import java.util.ArrayList;
import java.util.List;

/** What a log says about calls that are not in it: that only a sample was written, or that some were lost. Not thread-safe. */
public final class Sampling {

    private static final int MAX_HINTS = 5;

    private final List<String> hints = new ArrayList<>();
    private boolean isOfTraces;
    private long lost;

    /** Something that says that only a share of all calls was written. */
    void hint(String hint) {
        if (hints.size() < MAX_HINTS && !hints.contains(hint)) {
            hints.add(hint);
        }
    }

    /** Whether {@link #hint} would still keep one; to be asked before one is made. */
    boolean wantsHints() {
        return hints.size() < MAX_HINTS;
    }

    /** The log is one of traces, of which often only a sample is kept. */
    void ofTraces() {
        isOfTraces = true;
    }

    /** Whether it may be a sample although nothing says so. */
    public boolean isPossible() {
        return isOfTraces && hints.isEmpty();
    }

    /** Calls that the program which wrote the log knows to be missing. */
    void lost(long count) {
        lost += count;
    }

    /** In words, each kind once. */
    public List<String> hints() {
        return List.copyOf(hints);
    }

    /** How many calls are missing because whoever wrote the log could not keep up. */
    public long lost() {
        return lost;
    }
}
