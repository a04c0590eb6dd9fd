package io.nopanic.testkit;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Policy;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A dependency that behaves by script, in virtual time. Thread-safe.
 *
 * <pre>{@code
 * ScriptedDependency.on(time).fail(5).thenSucceed("ok")
 * ScriptedDependency.on(time).slow(Duration.ofSeconds(2), "late").hang().thenFail()
 * ScriptedDependency.on(time).between(Duration.ofSeconds(10), Duration.ofSeconds(20)).fail().thenSucceed("ok")
 * }</pre>
 *
 * <p>Each call takes the next line of the script; one that begins within a {@link #between window} does what that says instead, and
 * takes none. A call that finds the script at its end throws an {@link AssertionError}; {@code then...} lines have no end.
 *
 * <p>The same script serves a blocking call ({@link #call}; it parks while it takes time), a stage that has ended when it is returned
 * ({@link #completeStage}; a call that takes time cannot have, so it is pending then), and a stage that a timer ends ({@link #pendingStage}).
 */
public final class ScriptedDependency implements Callable<@Nullable Object> {

    private final VirtualTime time;
    private final long startNanos;

    /** Guards everything below; no foreign code runs under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Script script = new Script();
    private final List<Duration> calledAt = new ArrayList<>();
    private final List<ScriptedCall> running = new ArrayList<>();
    private int maxInFlight;
    private int cancelled;

    private ScriptedDependency(VirtualTime time) {
        this.time = Objects.requireNonNull(time, "time");
        startNanos = time.nanos();
    }

    /** A dependency with an empty script. Its own time begins now. */
    public static ScriptedDependency on(VirtualTime time) {
        return new ScriptedDependency(time);
    }

    // -------------------------------------------------------------------------------------------------------- the
    // script

    /** The next calls fail with a {@link ScriptedFailure}. */
    public ScriptedDependency fail(int times) {
        return add(times, Script.Act.of(0, ScriptedDependency::failing));
    }

    /**
     * The next calls fail with what the supplier gives, one for each.
     *
     * @param error gives exceptions, checked or not, or errors
     */
    public ScriptedDependency fail(int times, Supplier<? extends Throwable> error) {
        return add(times, Script.Act.of(0, failingWith(error)));
    }

    /** The next calls return a value. */
    public ScriptedDependency succeed(int times, @Nullable Object value) {
        return add(times, Script.Act.of(0, returning(value)));
    }

    /** The next call takes its time, then returns a value. */
    public ScriptedDependency slow(Duration takes, @Nullable Object value) {
        return add(1, Script.Act.of(nanos(takes), returning(value)));
    }

    /** The next call takes its time, then fails. */
    public ScriptedDependency slowFail(Duration takes, Supplier<? extends Throwable> error) {
        return add(1, Script.Act.of(nanos(takes), failingWith(error)));
    }

    /** The next call does not end until it is cancelled (a blocking one: interrupted) or {@linkplain #answerAll answered}. */
    public ScriptedDependency hang() {
        return add(1, Script.Act.of(Nanos.FOREVER, returning(null)));
    }

    /** The next call takes its time, then returns a value, and does not heed cancellation and interrupts meanwhile. */
    public ScriptedDependency slowAndDeaf(Duration takes, @Nullable Object value) {
        return add(1, new Script.Act(nanos(takes), false, returning(value)));
    }

    /** The next call does not end until it is {@linkplain #answerAll answered}, not even if it is cancelled or interrupted. */
    public ScriptedDependency hangAndDeaf() {
        return add(1, new Script.Act(Nanos.FOREVER, false, returning(null)));
    }

    /** All further calls return a value. */
    public ScriptedDependency thenSucceed(@Nullable Object value) {
        return fromThenOn(Script.Act.of(0, returning(value)));
    }

    /** All further calls take their time, then return a value. */
    public ScriptedDependency thenSlow(Duration takes, @Nullable Object value) {
        return fromThenOn(Script.Act.of(nanos(takes), returning(value)));
    }

    /** All further calls fail with a {@link ScriptedFailure}. */
    public ScriptedDependency thenFail() {
        return fromThenOn(Script.Act.of(0, ScriptedDependency::failing));
    }

    /** All further calls fail with what the supplier gives, one for each. */
    public ScriptedDependency thenFail(Supplier<? extends Throwable> error) {
        return fromThenOn(Script.Act.of(0, failingWith(error)));
    }

    /** All further calls {@link #hang}. */
    public ScriptedDependency thenHang() {
        return fromThenOn(Script.Act.of(Nanos.FOREVER, returning(null)));
    }

    /**
     * Says what calls do that begin in a span of time, whatever the lines of the script say. Of windows that overlap, the one named first counts.
     *
     * @param from the beginning, since this dependency was made
     * @param to the end, which is not within it
     */
    public Window between(Duration from, Duration to) {
        long fromNanos = nanos(from);
        long toNanos = nanos(to);
        if (toNanos <= fromNanos) {
            throw new IllegalArgumentException("to is " + to + ", allowed is a duration longer than " + from);
        }
        return new Window(fromNanos, toNanos);
    }

    /** A span of time whose calls are yet to be described. */
    public final class Window {

        private final long fromNanos;
        private final long toNanos;

        private Window(long fromNanos, long toNanos) {
            this.fromNanos = fromNanos;
            this.toNanos = toNanos;
        }

        /** Calls fail with a {@link ScriptedFailure}. */
        public ScriptedDependency fail() {
            return all(Script.Act.of(0, ScriptedDependency::failing));
        }

        /** Calls fail with what the supplier gives, one for each. */
        public ScriptedDependency fail(Supplier<? extends Throwable> error) {
            return all(Script.Act.of(0, failingWith(error)));
        }

        /** Calls return a value. */
        public ScriptedDependency succeed(@Nullable Object value) {
            return all(Script.Act.of(0, returning(value)));
        }

        /** Calls take their time, then return a value. */
        public ScriptedDependency slow(Duration takes, @Nullable Object value) {
            return all(Script.Act.of(nanos(takes), returning(value)));
        }

        /** Calls {@linkplain ScriptedDependency#hang hang}. */
        public ScriptedDependency hang() {
            return all(Script.Act.of(Nanos.FOREVER, returning(null)));
        }

        private ScriptedDependency all(Script.Act act) {
            lock.lock();
            try {
                script.between(fromNanos, toNanos, act);
                return ScriptedDependency.this;
            } finally {
                lock.unlock();
            }
        }
    }

    private ScriptedDependency add(int times, Script.Act act) {
        lock.lock();
        try {
            script.add(times, act);
            return this;
        } finally {
            lock.unlock();
        }
    }

    private ScriptedDependency fromThenOn(Script.Act act) {
        lock.lock();
        try {
            script.fromThenOn(act);
            return this;
        } finally {
            lock.unlock();
        }
    }

    private static IntFunction<Script.End> returning(@Nullable Object value) {
        Script.End end = new Script.End(value, null);
        return call -> end;
    }

    private static Script.End failing(int call) {
        return new Script.End(null, new ScriptedFailure(call));
    }

    private static IntFunction<Script.End> failingWith(Supplier<? extends Throwable> error) {
        Objects.requireNonNull(error, "error");
        return call -> new Script.End(null, Objects.requireNonNull(error.get(), "the supplied error"));
    }

    private static long nanos(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "a duration of the script is " + duration + ", allowed is zero or longer");
        }
        return Nanos.of(duration);
    }

    // -----------------------------------------------------------------------------------------------------------
    // calling

    /** A blocking call. It returns or throws by script, or throws an {@link InterruptedException} if the thread is interrupted while it takes time. */
    @Override
    public @Nullable Object call() throws Exception {
        return begin().block();
    }

    /** A call whose stage has ended when it is returned, unless it takes time. */
    public CompletionStage<@Nullable Object> completeStage() {
        return begin().stage();
    }

    /** A call whose stage is ended by a timer, at the same moment if it takes no time. Cancelling it cancels the call. */
    public CompletionStage<@Nullable Object> pendingStage() {
        return begin().pending();
    }

    /** Ends every call in flight with this value. */
    public void answerAll(@Nullable Object value) {
        answerAll(new Script.End(value, null));
    }

    /** Ends every call in flight with this error. */
    public void failAll(Throwable error) {
        answerAll(new Script.End(null, Objects.requireNonNull(error, "error")));
    }

    private void answerAll(Script.End end) {
        List<ScriptedCall> calls;
        lock.lock();
        try {
            calls = List.copyOf(running);
        } finally {
            lock.unlock();
        }
        calls.forEach(call -> call.answer(end));
        time.settle();
    }

    private ScriptedCall begin() {
        lock.lock();
        try {
            long sinceStartNanos = time.nanos() - startNanos;
            calledAt.add(Duration.ofNanos(sinceStartNanos));
            int number = calledAt.size();
            ScriptedCall call = new ScriptedCall(this, time.time(), number, script.next(number, sinceStartNanos));
            running.add(call);
            maxInFlight = Math.max(maxInFlight, running.size());
            return call;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call, unless it has ended; {@code true} if this did. */
    boolean end(ScriptedCall call, Runnable keepEnd) {
        lock.lock();
        try {
            if (call.hasEnded()) {
                return false;
            }
            keepEnd.run();
            running.remove(call);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void countCancelled() {
        lock.lock();
        try {
            cancelled++;
        } finally {
            lock.unlock();
        }
    }

    // -----------------------------------------------------------------------------------------------------------
    // guarding

    /**
     * This dependency behind policies, outermost first, for blocking calls; the short form of {@link Mode#guard}.
     */
    public Guarded guardedBy(Policy... outermostFirst) {
        return Mode.BLOCKING.guard(Pipeline.of(outermostFirst), time, this);
    }

    // ------------------------------------------------------------------------------------------------------------
    // looking

    /** How many calls there were, those in flight included. */
    public int calls() {
        return calledAt().size();
    }

    /** When each call began, since this dependency was made; the differences are the backoffs of a retry, in every mode. */
    public List<Duration> calledAt() {
        lock.lock();
        try {
            return List.copyOf(calledAt);
        } finally {
            lock.unlock();
        }
    }

    /** How many calls have begun and not ended. */
    public int inFlight() {
        lock.lock();
        try {
            return running.size();
        } finally {
            lock.unlock();
        }
    }

    /** The most calls that were ever in flight at one time. */
    public int maxInFlight() {
        lock.lock();
        try {
            return maxInFlight;
        } finally {
            lock.unlock();
        }
    }

    /** How many calls were told to stop while in flight, those that did not heed it included. */
    public int cancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }
}
