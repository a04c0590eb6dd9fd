package io.nopanic.testkit;

import io.nopanic.time.Nanos;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Which call gets which answer. Not thread-safe. */
final class Script {

    /** What one call does: how long it takes, whether it heeds a cancellation meanwhile, and how it then ends. */
    record Act(long takesNanos, boolean heedsCancellation, IntFunction<End> end) {

        static Act of(long takesNanos, IntFunction<End> end) {
            return new Act(takesNanos, true, end);
        }

        boolean hangs() {
            return takesNanos >= Nanos.FOREVER;
        }
    }

    /** How a call ends: with a value, unless there is an error. */
    record End(@Nullable Object value, @Nullable Throwable error) {}

    private record Window(long fromNanos, long toNanos, Act act) {}

    private final List<Window> windows = new ArrayList<>();
    private final Deque<Act> acts = new ArrayDeque<>();
    private @Nullable Act fromThenOn;
    private int length;

    void add(int times, Act act) {
        if (times < 1) {
            throw new IllegalArgumentException("times is " + times + ", allowed is a whole number of at least 1");
        }
        requireOpenEnd();
        for (int i = 0; i < times; i++) {
            acts.add(act);
        }
        length += times;
    }

    void fromThenOn(Act act) {
        requireOpenEnd();
        fromThenOn = act;
    }

    private void requireOpenEnd() {
        if (fromThenOn != null) {
            throw new IllegalStateException(
                    "the script already says what happens from then on; nothing can follow that");
        }
    }

    void between(long fromNanos, long toNanos, Act act) {
        windows.add(new Window(fromNanos, toNanos, act));
    }

    /**
     * What the next call does.
     *
     * @param call its number, from 1
     * @param sinceStartNanos when it begins
     */
    Act next(int call, long sinceStartNanos) {
        for (Window window : windows) {
            if (window.fromNanos <= sinceStartNanos && sinceStartNanos < window.toNanos) {
                return window.act;
            }
        }
        Act next = acts.poll();
        if (next != null) {
            return next;
        }
        if (fromThenOn != null) {
            return fromThenOn;
        }
        throw new AssertionError("call " + call + " of a scripted dependency, but its script has only " + length
                + " answers; end it with thenSucceed, thenFail or thenHang if more calls are meant to be");
    }
}
