package io.nopanic.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** The timer's thread against those who schedule and cancel. The threads that the timer starts are played by an actor. */
public final class WheelTimerRaces {

    private WheelTimerRaces() {}

    /** A timer whose time is over at once when nothing is scheduled, and whose threads run when a test says so. */
    private static final class Subject {

        private static final long LATER_NANOS = 1_000_000_000L;

        /** Moved by the constructor of a test, the timer's thread, and the arbiter. */
        private volatile long nowNanos;

        private final ConcurrentLinkedQueue<Runnable> started = new ConcurrentLinkedQueue<>();
        final AtomicInteger ran = new AtomicInteger();
        final WheelTimer timer = new WheelTimer(() -> nowNanos, this::sleep, this::newThread, 0);

        private void sleep(Object blocker, long nanos) {
            long wakeNanos = nowNanos + nanos;
            nowNanos = wakeNanos;
        }

        private Thread newThread(Runnable body) {
            return new Thread(body) {
                @Override
                public synchronized void start() {
                    started.add(body);
                }
            };
        }

        Timer.Scheduled schedule() {
            return timer.schedule(0, ran::incrementAndGet);
        }

        void becomeDue() {
            nowNanos = LATER_NANOS;
        }

        /** Does what the timer's thread would do until it ends, if one was started. */
        void runThread() {
            Runnable body = started.poll();
            if (body != null) {
                body.run();
            }
        }
    }

    /** An action is due and is run as somebody cancels it. Result: whether it was cancelled, how often it ran, actions left. */
    @JCStressTest
    @Description("An action is cancelled as it falls due: does either happen, and not both?")
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "cancelled, so it does not run")
    @Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "run, so it cannot be cancelled")
    @State
    public static class CancelAgainstRun {

        private final Subject subject = new Subject();
        private final Timer.Scheduled scheduled = subject.schedule();

        public CancelAgainstRun() {
            subject.becomeDue();
        }

        @Actor
        public void run() {
            subject.runThread();
        }

        @Actor
        public void cancel(ZII_Result r) {
            r.r1 = scheduled.cancel();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r2 = subject.ran.get();
            r.r3 = subject.timer.size();
        }
    }

    /** Two threads cancel one action. Result: how many did, and how often it ran. */
    @JCStressTest
    @Description("Two threads cancel one action: is one of them told that it did?")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one of them did")
    @State
    public static class CancelAgainstCancel {

        private final Subject subject = new Subject();
        private final Timer.Scheduled scheduled = subject.schedule();
        private final AtomicInteger cancelled = new AtomicInteger();

        private void cancel() {
            if (scheduled.cancel()) {
                cancelled.incrementAndGet();
            }
        }

        @Actor
        public void one() {
            cancel();
        }

        @Actor
        public void other() {
            cancel();
        }

        @Arbiter
        public void end(II_Result r) {
            subject.becomeDue();
            subject.runThread();
            r.r1 = cancelled.get();
            r.r2 = subject.ran.get();
        }
    }

    /**
     * The thread has run what was due, finds nothing left and ends, as something more is scheduled. Result: how often the actions ran once a second thread has run, too, if one
     * was started; actions left.
     */
    @JCStressTest
    @Description("Something is scheduled as the thread ends because nothing was: does a thread run it?")
    @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "the old thread found it, or a new one was started")
    @State
    public static class ScheduleAgainstEnd {

        private final Subject subject = new Subject();

        public ScheduleAgainstEnd() {
            subject.schedule();
            subject.becomeDue();
        }

        @Actor
        public void run() {
            subject.runThread();
        }

        @Actor
        public void schedule() {
            subject.timer.schedule(-1, subject.ran::incrementAndGet);
        }

        @Arbiter
        public void end(II_Result r) {
            subject.runThread();
            r.r1 = subject.ran.get();
            r.r2 = subject.timer.size();
        }
    }
}
