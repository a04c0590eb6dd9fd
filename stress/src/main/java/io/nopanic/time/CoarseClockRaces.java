package io.nopanic.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The word of a coarse clock: those who read it, and its thread, which is played by an actor. Time passes when a test says so. */
public final class CoarseClockRaces {

    private static final long START_NANOS = 1_000_000_000_000L;

    /** How fine readings are. */
    private static final long GRAIN_NANOS = 4;

    private static final int PATIENCE = 500;
    private static final int DAWDLE = 20;

    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack, and millions of threads end by it
    private static final Broken BROKEN = new Broken();

    private CoarseClockRaces() {}

    /** What ends a thread early, or keeps it from being started. */
    private static final class Broken extends Error {

        private static final long serialVersionUID = 1;

        Broken() {
            super("broken, of a test", null, false, false);
        }
    }

    /** A clock whose threads wait until a test runs them. */
    private static final class Subject {

        private final AtomicLong exactNanos = new AtomicLong(START_NANOS);
        private final ConcurrentLinkedQueue<Runnable> started = new ConcurrentLinkedQueue<>();
        final CoarseClock clock;

        /** How often the thread has parked. */
        int parks;

        /** What happens while the thread parks for this many times. */
        Subject(ObjIntConsumer<Subject> whileParked) {
            clock = new CoarseClock(
                    this::readSlowly, (blocker, nanos) -> whileParked.accept(this, ++parks), this::newThread);
        }

        /** A reading that is a little old by the time it is used. */
        private long readSlowly() {
            long nanos = exactNanos.get();
            for (int spin = 0; spin < DAWDLE; spin++) {
                Thread.onSpinWait();
            }
            return nanos;
        }

        private Thread newThread(Runnable body) {
            return new Thread(body) {
                @Override
                public synchronized void start() {
                    started.add(body);
                }
            };
        }

        /** One that runs, and whose thread is about to begin. */
        static Subject running(ObjIntConsumer<Subject> whileParked) {
            Subject subject = new Subject(whileParked);
            subject.clock.nanos();
            return subject;
        }

        void pass(long nanos) {
            exactNanos.addAndGet(nanos);
        }

        /** Does what the thread that was started would do until it ends. */
        void runThread() {
            Objects.requireNonNull(started.poll()).run();
        }

        int threads() {
            return started.size();
        }

        /** Whether the clock runs: a reading is behind by what has passed. Starts it if not. */
        boolean runs() {
            pass(CoarseClock.TICK_NANOS);
            return clock.nanos() != exactNanos.get();
        }
    }

    /** Two calls read a clock that stands. Result: whether it runs then, and how many threads were started. */
    @JCStressTest
    @Description("Two readers find the clock stopped: does just one of them start a thread?")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "one did")
    @State
    public static class ReadAgainstRead {

        private final Subject subject = new Subject((self, park) -> {});

        @Actor
        public void one() {
            subject.clock.nanos();
        }

        @Actor
        public void other() {
            subject.clock.nanos();
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = subject.threads();
            r.r1 = subject.runs();
        }
    }

    /** The same, but there can be no thread. Result: whether the clock runs then, and how many threads were started. */
    @JCStressTest
    @Description("Two readers find the clock stopped, and there can be no thread: does it stay stopped?")
    @Outcome(
            id = "false, 0",
            expect = ACCEPTABLE,
            desc = "whoever could not start a thread has stopped the clock again")
    @State
    public static class StartInVain {

        private final AtomicLong exactNanos = new AtomicLong(START_NANOS);
        private final CoarseClock clock = new CoarseClock(exactNanos::get, (blocker, nanos) -> {}, body -> {
            throw BROKEN;
        });

        @Actor
        public void one() {
            clock.nanos();
        }

        @Actor
        public void other() {
            clock.nanos();
        }

        @Arbiter
        public void end(ZI_Result r) {
            exactNanos.addAndGet(CoarseClock.TICK_NANOS);
            r.r1 = clock.nanos() != exactNanos.get();
        }
    }

    /**
     * The thread asks whether anybody is there, and stops the clock if nobody is, as somebody reads. Result: whether the clock runs when the thread has ended, and how many
     * other threads were started.
     */
    @JCStressTest
    @Description("Somebody reads as the thread stops the clock: does it run without a thread then?")
    @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "read it running; the thread asked once more, or stopped it")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "found it stopped, and started another thread")
    @State
    public static class ReadAgainstStop {

        private final Subject subject = Subject.running((self, park) -> self.pass(CoarseClock.QUIET_NANOS));

        @Actor
        public void thread() {
            subject.runThread();
        }

        @Actor
        public void read() {
            subject.clock.nanos();
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = subject.threads();
            r.r1 = subject.runs();
        }
    }

    /** The thread has asked, and breaks as somebody answers. Result: whether the clock runs then, and how many other threads were started. */
    @JCStressTest
    @Description("Somebody answers the thread as that breaks: does the clock run without a thread then?")
    @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "answered, and the thread stopped the clock all the same")
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "found it stopped, and started another thread")
    @State
    public static class AnswerAgainstBreak {

        private final Subject subject = Subject.running((self, park) -> {
            if (park > 1) {
                throw BROKEN;
            }
            self.pass(CoarseClock.QUIET_NANOS);
        });

        @Actor
        public void thread() {
            try {
                subject.runThread();
            } catch (Broken expected) {
                // As it is meant to be.
            }
        }

        @Actor
        public void answer() {
            subject.clock.nanos();
        }

        @Arbiter
        public void end(ZI_Result r) {
            r.r2 = subject.threads();
            r.r1 = subject.runs();
        }
    }

    /**
     * The thread asks, goes on ticking, and asks again; somebody reads between the two questions. Result: whether that was done before the second, and whether the clock was
     * stopped by it.
     */
    @JCStressTest
    @Description("Somebody answers the thread as that ticks: is the answer still there when it asks again?")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "answered in time, so the clock runs on")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "was too early or too late for an answer")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "answered at the last moment")
    @State
    public static class AnswerAgainstTick {

        private static final int LAST_TICK = 10;

        private final Subject subject = Subject.running(this::whileParked);
        private volatile boolean asked;
        private volatile boolean answered;
        private boolean inTime;

        /** It asks when it has parked once, and again after the last tick. */
        private void whileParked(Subject self, int park) {
            if (park == 1 || park > LAST_TICK) {
                if (park == LAST_TICK + 1) {
                    awaitAnswer();
                    inTime = answered;
                }
                self.pass(CoarseClock.QUIET_NANOS);
            } else {
                asked = true;
                self.pass(GRAIN_NANOS);
            }
        }

        private void awaitAnswer() {
            for (int spin = 0; spin < PATIENCE && !answered; spin++) {
                Thread.onSpinWait();
            }
        }

        @Actor
        public void thread(ZZ_Result r) {
            subject.runThread();
            r.r1 = inTime;
            r.r2 = subject.parks == LAST_TICK + 1;
        }

        @Actor
        public void answer() {
            for (int spin = 0; spin < PATIENCE && !asked; spin++) {
                Thread.onSpinWait();
            }
            boolean isAnswer = asked;
            subject.clock.nanos();
            answered = isAnswer;
        }
    }

    /**
     * A call reads again and again, each time a little later, while the thread ticks, asks, and stops the clock; then another one reads. Result: for both, whether each
     * reading was not less than any before it, and not ahead of the exact clock.
     */
    @JCStressTest
    @Description("The clock is read while it ticks, stops and starts: does it go back, or ahead of the exact one?")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "neither")
    @State
    public static class ReadingsInOrder {

        private static final int READINGS = 8;

        private final Subject subject = Subject.running((self, park) -> self.pass(CoarseClock.QUIET_NANOS / 2));
        private final AtomicLong latestNanos = new AtomicLong(Long.MIN_VALUE);

        private boolean read() {
            subject.pass(GRAIN_NANOS);
            long beforeNanos = latestNanos.get();
            long readNanos = subject.clock.nanos();
            long exactNanos = subject.exactNanos.get();
            latestNanos.accumulateAndGet(readNanos, Math::max);
            return readNanos >= beforeNanos && readNanos <= exactNanos;
        }

        @Actor
        public void thread(ZZ_Result r) {
            subject.runThread();
            r.r1 = read();
        }

        @Actor
        public void readers(ZZ_Result r) {
            boolean good = true;
            for (int reading = 0; reading < READINGS; reading++) {
                good &= read();
            }
            r.r2 = good;
        }
    }

    /** The clock has stood still for a second when the thread moves it on at last, as somebody asks how long it has at the worst. Result: whether that is told. */
    @JCStressTest
    @Description("The clock moves on after having stood still as its worst lag is read: is that one known?")
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "as the lag that is, or as one that was")
    @State
    public static class LagAgainstTick {

        private static final long LAG_NANOS = 1_000_000_000L;

        private final Subject subject = Subject.running((self, park) -> self.pass(park == 1 ? 0 : LAG_NANOS / 2));

        public LagAgainstTick() {
            subject.pass(LAG_NANOS);
        }

        @Actor
        public void thread() {
            subject.runThread();
        }

        @Actor
        public void look(Z_Result r) {
            r.r1 = subject.clock.worstLagNanos() >= LAG_NANOS;
        }
    }
}
