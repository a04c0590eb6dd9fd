package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls of one trace that say nothing of what they went to but which process made them, held until the processes have names: Jaeger writes these
 * behind the spans. Not thread-safe.
 */
final class CallsOfTrace {

    /** Of a larger trace the rest has no name. */
    private static final int MOST = 100_000;

    private final Intake intake;
    private final Map<String, String> processes = new HashMap<>();
    private final List<Call> waiting = new ArrayList<>();

    private record Call(long startNanos, long durationNanos, Ending ending, String process, int attempt) {}

    CallsOfTrace(Intake intake) {
        this.intake = intake;
    }

    /** A process of the trace is of this service. */
    void process(String id, String service) {
        if (processes.size() < MOST) {
            processes.put(id, service);
        }
    }

    void call(long startNanos, long durationNanos, Ending ending, String process, int attempt) {
        Call call = new Call(startNanos, durationNanos, ending, process, attempt);
        if (waiting.size() < MOST) {
            waiting.add(call);
        } else {
            handOn(call);
        }
    }

    private void handOn(Call call) {
        int key = intake.key(Keys.calledBy(processes.getOrDefault(call.process, "")));
        intake.call(call.startNanos, call.durationNanos, call.ending, key, call.attempt);
    }

    /** Another trace follows, or none. */
    void end() {
        waiting.forEach(this::handOn);
        waiting.clear();
        processes.clear();
    }
}
