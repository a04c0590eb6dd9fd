package io.nopanic.benchmarks.fork;

import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.contestants.Refusals;
import io.nopanic.benchmarks.contestants.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** One call of each form. A process runs one of them on one contestant, so that the compiler sees one guard and one body, as it would in a program. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Benchmarks {

    /** The name of the benchmark for a group's contestants. */
    static String of(Group group) {
        return switch (group) {
            case FLOOR -> "floor";
            case BREAKER_BY_HAND, PIPELINE_BY_HAND -> "byHand";
            case STAGED_COMPLETE -> "completeStage";
            case STAGED_PENDING -> "pendingStage";
            case STAGED_FAILING -> "failingStage";
            case STAGED_OPEN -> "refusedStage";
            default -> "call";
        };
    }

    /** What guards are made of. */
    @Benchmark
    public long floor(Subjects.ForFloors subject) throws Exception {
        return subject.floor.once(subject.body);
    }

    /** A blocking call. */
    @Benchmark
    public Object call(Subjects.ForCalls subject, Subjects.Body body) {
        try {
            return subject.guard.call(body.body);
        } catch (Work.Failure failure) {
            return failure;
        } catch (Exception refused) {
            Refusals.note(refused);
            return refused;
        }
    }

    /** A call that a breaker is told of. */
    @Benchmark
    public boolean byHand(Subjects.ForRecords subject, Subjects.Outcomes outcomes) throws Exception {
        boolean recorded = subject.recorder.record(outcomes.thirds.next());
        if (!recorded) {
            var unused = Refusals.note();
        }
        return recorded;
    }

    /** An asynchronous call whose stage is complete at once, up to its result. */
    @Benchmark
    public Object completeStage(Subjects.ForStages subject) throws Exception {
        return subject.guard.call(() -> subject.complete).toCompletableFuture().join();
    }

    /** An asynchronous call whose stage completes after the call was made, up to its result. */
    @Benchmark
    public Object pendingStage(Subjects.ForStages subject) throws Exception {
        CompletableFuture<Object> later = new CompletableFuture<>();
        CompletableFuture<Object> call = subject.guard.call(() -> later).toCompletableFuture();
        later.complete(Work.ANSWER);
        return call.join();
    }

    /** An asynchronous call whose stage completes after the call was made, every third time with a failure. */
    @Benchmark
    public Object failingStage(Subjects.ForStages subject, Subjects.Outcomes outcomes) throws Exception {
        CompletableFuture<Object> later = new CompletableFuture<>();
        CompletableFuture<Object> call = subject.guard.call(() -> later).toCompletableFuture();
        if (outcomes.thirds.next()) {
            later.completeExceptionally(Work.FAILURE);
        } else {
            later.complete(Work.ANSWER);
        }
        Object end = end(call);
        if (end != Work.ANSWER && end != Work.FAILURE && ((Throwable) end).getCause() != Work.FAILURE) {
            var unused = Refusals.note();
        }
        return end;
    }

    /** An asynchronous call that is refused. */
    @Benchmark
    public Object refusedStage(Subjects.ForStages subject) throws Exception {
        return end(subject.guard.call(() -> subject.complete).toCompletableFuture());
    }

    /** What it ends with, whichever that is; {@code join} would wrap a failure in a new one with a stack trace. */
    private static Object end(CompletableFuture<Object> call) {
        return call.handle((answer, failure) -> failure == null ? answer : failure)
                .join();
    }
}
