package io.nopanic.benchmarks.fork;

import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Floor;
import io.nopanic.benchmarks.contestants.Group.Calls;
import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Recorder;
import io.nopanic.benchmarks.contestants.Refusals;
import io.nopanic.benchmarks.contestants.StagedGuard;
import io.nopanic.benchmarks.contestants.Work;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the benchmarks call: one object for all threads, as in a program, and a call for each thread. */
@SuppressWarnings("NullAway.Init") // JMH fills them
public final class Subjects {

    private Subjects() {}

    /** A guard around blocking calls. */
    @State(Scope.Benchmark)
    public static class ForCalls {

        /** Its key. */
        @Param("")
        public String contestant;

        Guard guard;
        Calls calls;

        /** Makes it. */
        @Setup
        public void make() {
            var named = Contestants.named(contestant);
            guard = named.guard();
            calls = named.group().calls();
            Refusals.forget();
        }

        /** Looks whether it let in what it had to; once, when all threads have ended. */
        @TearDown
        public void check() {
            Refusals.check(Contestants.named(contestant));
        }
    }

    /** What one thread calls. */
    @State(Scope.Thread)
    public static class Body {

        Callable<Object> body;

        /** Makes it; on the thread that uses it. */
        @Setup
        public void make(ForCalls shared) {
            body = Work.of(shared.calls);
        }
    }

    /** A breaker that is told by hand. */
    @State(Scope.Benchmark)
    public static class ForRecords {

        /** Its key. */
        @Param("")
        public String contestant;

        Recorder recorder;

        /** Makes it. */
        @Setup
        public void make() {
            recorder = (Recorder) Contestants.named(contestant).maker().get();
            Refusals.forget();
        }

        /** Looks whether it let in what it had to; once, when all threads have ended. */
        @TearDown
        public void check() {
            Refusals.check(Contestants.named(contestant));
        }
    }

    /** Which calls of one thread fail. */
    @State(Scope.Thread)
    public static class Outcomes {

        Work.Thirds thirds;

        /** Makes it; on the thread that uses it. */
        @Setup
        public void make() {
            thirds = new Work.Thirds();
        }
    }

    /** A guard around asynchronous calls. */
    @State(Scope.Benchmark)
    public static class ForStages {

        /** Its key. */
        @Param("")
        public String contestant;

        final CompletableFuture<Object> complete = CompletableFuture.completedFuture(Work.ANSWER);
        StagedGuard guard;

        /** Makes it. */
        @Setup
        public void make() {
            guard = (StagedGuard) Contestants.named(contestant).maker().get();
            Refusals.forget();
        }

        /** Looks whether it let in what it had to; once, when all threads have ended. */
        @TearDown
        public void check() {
            Refusals.check(Contestants.named(contestant));
        }
    }

    /** What guards are made of. */
    @State(Scope.Benchmark)
    public static class ForFloors {

        /** Its key. */
        @Param("")
        public String contestant;

        Floor floor;
        Callable<Object> body;

        /** Makes it. */
        @Setup
        public void make() {
            floor = (Floor) Contestants.named(contestant).maker().get();
            body = new Work.Succeeding();
        }
    }
}
