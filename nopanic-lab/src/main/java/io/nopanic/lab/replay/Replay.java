package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.outcome.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the breakers of several policies decide about the calls of one log. Each key has a breaker of its own under each policy. The policies share out
 * the processors; those of one thread read the log together, once.
 */
public final class Replay {

    /** More keys than this would be more breakers than fit into memory. */
    public static final int MAX_KEYS = 10_000;

    private static final int DECISIONS_BETWEEN_REPORTS = 1 << 20;

    private final CallLog log;
    private final Survey survey;
    private final Blocks blocks;
    private final int changesKept;

    private Replay(CallLog log, Survey survey, int changesKept) {
        this.log = log;
        this.survey = survey;
        this.changesKept = changesKept;
        blocks = new Blocks(survey.whole(), survey.incidents().union());
    }

    /**
     * Replays a log.
     *
     * @param policies at least one
     * @param survey what is known of the log
     * @param progress is told from time to time which share is done, 0 to 1, by the calling thread
     * @throws IllegalArgumentException if there are too many keys
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static ReplayResult run(
            CallLog log, Survey survey, List<? extends PolicySpec> policies, DoubleConsumer progress)
            throws InterruptedException {
        return run(log, survey, policies, progress, StateTimeline.MAX);
    }

    /** The same without timelines of states, which take much memory for many policies. */
    public static ReplayResult runWithoutTimelines(
            CallLog log, Survey survey, List<? extends PolicySpec> policies, DoubleConsumer progress)
            throws InterruptedException {
        return run(log, survey, policies, progress, 0);
    }

    private static ReplayResult run(
            CallLog log, Survey survey, List<? extends PolicySpec> policies, DoubleConsumer progress, int changesKept)
            throws InterruptedException {
        int keys = log.keys().size();
        if (keys > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "the log has " + keys + " keys, allowed are " + MAX_KEYS + "; choose a coarser one");
        }
        return new Replay(log, survey, changesKept).run(List.copyOf(policies), progress);
    }

    private ReplayResult run(List<PolicySpec> policies, DoubleConsumer progress) throws InterruptedException {
        List<PolicyRun> runs = policies.stream()
                .map(spec -> new PolicyRun(
                        spec, survey.incidents(), log.keys().size(), blocks.count(), new StateTimeline(changesKept)))
                .toList();
        FactsCollector facts = new FactsCollector(log, survey, blocks.count());
        int threads = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), runs.size()));
        ExecutorService others = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> passes = new ArrayList<>();
            for (int i = 1; i < threads; i++) {
                List<PolicyRun> share = share(runs, i, threads);
                passes.add(others.submit(() -> pass(share, null, done -> {})));
            }
            pass(share(runs, 0, threads), facts, progress);
            for (Future<?> pass : passes) {
                pass.get();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        } catch (ExecutionException e) {
            throw Failures.rethrow(Failures.unwrap(e));
        } finally {
            others.shutdownNow();
        }
        return new ReplayResult(
                survey,
                log.keys(),
                facts.result(),
                new Bootstrap(blocks, facts.callsOfBlock()),
                runs.stream().map(PolicyRun::result).toList());
    }

    private static List<PolicyRun> share(List<PolicyRun> runs, int part, int parts) {
        return IntStream.range(0, runs.size())
                .filter(i -> i % parts == part)
                .mapToObj(runs::get)
                .toList();
    }

    private void pass(List<PolicyRun> runs, @Nullable FactsCollector facts, DoubleConsumer progress) {
        PolicyRun[] each = runs.toArray(new PolicyRun[0]);
        Course course = new Course(survey.incidents(), blocks, log.keys().size());
        int callsBetweenReports = DECISIONS_BETWEEN_REPORTS / Math.max(1, each.length);
        long read = 0;
        try (CallCursor call = log.open()) {
            while (call.next()) {
                int key = call.key();
                course.moveTo(key, call.startNanos());
                int incident = course.incident(key);
                int block = course.block();
                for (PolicyRun run : each) {
                    run.offer(call, incident, block);
                }
                if (facts != null) {
                    facts.add(call, incident, block);
                }
                if (++read % callsBetweenReports == 0) {
                    if (Thread.currentThread().isInterrupted()) {
                        return;
                    }
                    progress.accept(done(call.startNanos()));
                }
            }
        }
        runs.forEach(run -> run.finish(survey.whole().endNanos()));
    }

    private double done(long nowNanos) {
        Span whole = survey.whole();
        return (double) (nowNanos - whole.startNanos()) / Math.max(1, whole.lengthNanos());
    }
}
