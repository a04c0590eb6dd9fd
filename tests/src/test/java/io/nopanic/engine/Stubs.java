package io.nopanic.engine;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Race;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
import io.nopanic.spi.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The simplest policy of each shape, to look at the engine alone. */
final class Stubs {

    private Stubs() {}

    private static final class AnyBuilder extends PolicyBuilder<AnyBuilder, Object> {

        AnyBuilder(String kind) {
            super(kind);
        }

        @Override
        protected AnyBuilder self() {
            return this;
        }

        @Override
        public Object build() {
            return this;
        }
    }

    static final class Refusal extends RejectedException {
        Refusal() {
            super("gate", "test", "the gate is shut", UNKNOWN, null);
        }
    }

    /** Lets calls in, or refuses them, or makes them wait until it opens; counts permits. */
    static final class Gate extends PolicyBase implements Admission {

        enum Setting {
            OPEN,
            SHUT,
            WAIT
        }

        volatile Setting setting = Setting.OPEN;
        final AtomicInteger held = new AtomicInteger();
        final AtomicInteger left = new AtomicInteger();
        volatile long leftNanos;
        final List<String> endings = new ArrayList<>();
        volatile Waiter waiting;

        /** Thrown whenever a permit comes back. */
        volatile RuntimeException fault;

        Gate() {
            super(new AnyBuilder("gate"));
        }

        void openAndWake() {
            setting = Setting.OPEN;
            Waiter woken = waiting;
            if (woken != null) {
                woken.wake();
            }
        }

        @Override
        public String describe() {
            return setting.toString();
        }

        @Override
        public long tryAcquire(long nowNanos) {
            if (setting == Setting.OPEN) {
                held.incrementAndGet();
                return 7;
            }
            return NOT_NOW;
        }

        @Override
        public Entry enter(EntryRequest request) {
            if (setting == Setting.SHUT) {
                return new Entry.Refused(new Refusal());
            }
            waiting = request.waiter();
            return new Entry.Waiting() {
                @Override
                public long check(long nowNanos) {
                    return switch (setting) {
                        case OPEN -> {
                            held.incrementAndGet();
                            yield ADMITTED;
                        }
                        case SHUT -> REFUSED;
                        case WAIT -> 1_000_000_000L;
                    };
                }

                @Override
                public long permit() {
                    return 7;
                }

                @Override
                public RejectedException refusal() {
                    return new Refusal();
                }

                @Override
                public Waiter leave(long nowNanos) {
                    left.incrementAndGet();
                    leftNanos = nowNanos;
                    return null;
                }
            };
        }

        @Override
        public Waiter settle(long permit, long startNanos, long nowNanos, Object result, Throwable error) {
            if (permit != 7) {
                throw new AssertionError("a permit nobody gave: " + permit);
            }
            held.decrementAndGet();
            synchronized (endings) {
                endings.add(
                        error == null
                                ? String.valueOf(result)
                                : error.getClass().getSimpleName());
            }
            if (fault != null) {
                throw fault;
            }
            return null;
        }
    }

    /** Goes again up to so many times, whatever was thrown, after a delay. */
    static final class Again extends PolicyBase implements Repetition {

        private final int attempts;
        private final long delayNanos;
        final AtomicInteger abandoned = new AtomicInteger();

        Again(int attempts, long delayNanos) {
            super(new AnyBuilder("again"));
            this.attempts = attempts;
            this.delayNanos = delayNanos;
        }

        @Override
        public String describe() {
            return attempts + " attempts";
        }

        @Override
        public boolean accepts(Object result) {
            return !"bad".equals(result);
        }

        @Override
        public long delayNanos(Attempt attempt) {
            return attempt.number() < attempts ? delayNanos : DONE;
        }

        @Override
        public void onAbandoned(Attempt attempt) {
            abandoned.incrementAndGet();
        }
    }

    /** A time limit. */
    static final class Limit extends PolicyBase implements Deadline {

        private final long timeoutNanos;
        final AtomicInteger timeouts = new AtomicInteger();

        Limit(long timeoutNanos) {
            super(new AnyBuilder("limit"));
            this.timeoutNanos = timeoutNanos;
        }

        @Override
        public String describe() {
            return timeoutNanos + " ns";
        }

        @Override
        public long timeoutNanos() {
            return timeoutNanos;
        }

        @Override
        public void onTimeout(long nowNanos) {
            timeouts.incrementAndGet();
        }
    }

    /** Starts copies at fixed distances. */
    static final class Copies extends PolicyBase implements Race {

        private final int hedges;
        private final long delayNanos;
        final AtomicInteger won = new AtomicInteger(-1);
        final List<Throwable> loserErrors = new ArrayList<>();
        volatile boolean budget = true;

        Copies(int hedges, long delayNanos) {
            super(new AnyBuilder("copies"));
            this.hedges = hedges;
            this.delayNanos = delayNanos;
        }

        @Override
        public String describe() {
            return hedges + " hedges";
        }

        @Override
        public long nextCopyDelayNanos(int copy) {
            return copy < hedges ? delayNanos : NEVER;
        }

        @Override
        public boolean mayStart(int copy, long nowNanos) {
            return budget && copy <= hedges;
        }

        @Override
        public boolean accepts(Object result, Throwable error) {
            return error == null;
        }

        @Override
        public void onWon(int copy, long latencyNanos, long elapsedNanos, long nowNanos) {
            won.set(copy);
        }

        @Override
        public void onLoserFailed(int copy, Throwable error, long nowNanos) {
            synchronized (loserErrors) {
                loserErrors.add(error);
            }
        }

        @Override
        public Executor executor() {
            return runnable -> {
                Thread thread = new Thread(runnable);
                thread.setDaemon(true);
                thread.start();
            };
        }
    }

    /** Answers as told, before and after calls. */
    static final class Instead extends PolicyBase implements Substitution {

        private final Supplier<Substitute> before;
        private final BiFunction<Object, Throwable, Substitute> after;
        final List<Object> tokens = new ArrayList<>();

        Instead(Supplier<Substitute> before, BiFunction<Object, Throwable, Substitute> after) {
            super(new AnyBuilder("instead"));
            this.before = before;
            this.after = after;
        }

        @Override
        public String describe() {
            return "as told";
        }

        @Override
        public Substitute before(long nowNanos, boolean blocking) {
            return before.get();
        }

        @Override
        public Substitute after(Object token, long nowNanos, Object result, Throwable error) {
            synchronized (tokens) {
                tokens.add(String.valueOf(token));
            }
            return after.apply(result, error);
        }
    }
}
