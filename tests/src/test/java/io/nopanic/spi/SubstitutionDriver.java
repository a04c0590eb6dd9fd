package io.nopanic.spi;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Makes blocking calls through one substitution, for tests of its decisions alone. Background calls wait until they are asked to run. */
public final class SubstitutionDriver {

    private static final long GUARD_SECONDS = 30;

    private final Substitution policy;
    private final LongSupplier clock;
    private final Queue<Runnable> background = new ArrayDeque<>();

    public SubstitutionDriver(Substitution policy, LongSupplier clock) {
        this.policy = policy;
        this.clock = clock;
    }

    /** A call, with everything that the policy makes of it. */
    public Object call(Callable<?> code) throws Exception {
        Substitute answer = policy.before(clock.getAsLong(), true);
        while (answer instanceof Substitute.AskAgain waiting) {
            answer = ended(waiting);
            if (answer == null) {
                answer = policy.before(clock.getAsLong(), true);
            }
        }
        if (answer instanceof Substitute.Refresh refresh) {
            synchronized (background) {
                background.add(() -> {
                    try {
                        make(refresh.token(), code);
                    } catch (Throwable dropped) {
                        // Nobody waits for it.
                    }
                });
            }
            return refresh.value();
        }
        if (answer == null) {
            return make(null, code);
        }
        return answer instanceof Substitute.Proceed proceed ? make(proceed.token(), code) : give(answer, null);
    }

    /** Runs the background calls. */
    public int runBackground() {
        int count = 0;
        for (Runnable next = poll(); next != null; next = poll()) {
            next.run();
            count++;
        }
        return count;
    }

    private Runnable poll() {
        synchronized (background) {
            return background.poll();
        }
    }

    private Object make(Object token, Callable<?> code) throws Exception {
        Object result = null;
        Throwable error = null;
        try {
            result = code.call();
        } catch (Throwable thrown) {
            error = thrown;
        }
        Substitute answer = policy.after(token, clock.getAsLong(), result, error);
        if (answer != null) {
            return give(answer, error);
        }
        if (error != null) {
            throw SubstitutionDriver.<RuntimeException>sneaky(error);
        }
        return result;
    }

    private static Object give(Substitute answer, Throwable replaced) throws Exception {
        try {
            if (answer instanceof Substitute.Value value) {
                return value.value();
            }
            if (answer instanceof Substitute.Failure failure) {
                throw SubstitutionDriver.<RuntimeException>sneaky(failure.error());
            }
            if (answer instanceof Substitute.Compute compute) {
                return compute.code().call();
            }
            if (answer instanceof Substitute.ComputeStage stage) {
                return stage.code().get().toCompletableFuture().get(GUARD_SECONDS, TimeUnit.SECONDS);
            }
        } catch (Throwable thrown) {
            Throwable own = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
            if (replaced != null && own != replaced) {
                own.addSuppressed(replaced);
            }
            throw SubstitutionDriver.<RuntimeException>sneaky(own);
        }
        throw new AssertionError("not an answer after a call: " + answer);
    }

    private static Substitute ended(Substitute.AskAgain waiting) throws InterruptedException {
        try {
            return waiting.signal().toCompletableFuture().get(GUARD_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return null;
        } catch (TimeoutException e) {
            throw new AssertionError("nobody ended the wait", e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E sneaky(Throwable error) throws E {
        throw (E) error;
    }
}
