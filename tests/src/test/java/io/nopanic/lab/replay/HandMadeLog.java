package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Calls that are written down one by one; times in milliseconds. */
public final class HandMadeLog implements CallLog {

    static final long MILLI = 1_000_000L;
    static final long BEGIN_NANOS = 1_700_000_000_000_000_000L;

    private final List<String> keys;
    private final List<Call> calls = new ArrayList<>();

    private record Call(long startNanos, long durationNanos, Ending ending, int key, int attempt) {}

    /** A log without calls. */
    public HandMadeLog(String... keys) {
        this.keys = List.of(keys);
    }

    HandMadeLog call(long atMillis, Ending ending) {
        return call(atMillis, 0, ending, 0);
    }

    /** Adds a call. */
    public HandMadeLog call(long atMillis, long takesMillis, Ending ending, int key) {
        calls.add(new Call(BEGIN_NANOS + atMillis * MILLI, takesMillis * MILLI, ending, key, 1));
        return this;
    }

    /** Adds a second attempt. */
    public HandMadeLog repeat(long atMillis, Ending ending) {
        calls.add(new Call(BEGIN_NANOS + atMillis * MILLI, 0, ending, 0, 2));
        return this;
    }

    /** One call after the other, as far apart from each other: {@code +} for a success, {@code -} for a failure, a dot for none. */
    public HandMadeLog calls(long fromMillis, long gapMillis, String endings) {
        for (int i = 0; i < endings.length(); i++) {
            if (endings.charAt(i) != '.') {
                call(fromMillis + i * gapMillis, endings.charAt(i) == '+' ? Ending.SUCCESS : Ending.FAILURE);
            }
        }
        return this;
    }

    /** The same calls, but nobody knows how long they took. */
    public HandMadeLog withoutDurations() {
        HandMadeLog log = new HandMadeLog(keys.toArray(new String[0]));
        calls.forEach(call -> log.calls.add(
                new Call(call.startNanos(), CallCursor.UNKNOWN, call.ending(), call.key(), call.attempt())));
        return log;
    }

    /** A stretch of time in milliseconds. */
    public static Span span(long fromMillis, long toMillis) {
        return new Span(BEGIN_NANOS + fromMillis * MILLI, BEGIN_NANOS + toMillis * MILLI);
    }

    /** What breakers do with it, when it is known what was wrong with the first key. */
    public ReplayResult replay(long lengthMillis, List<Span> incidents, String... policies) {
        List<List<Span>> byKey = new ArrayList<>();
        for (int key = 0; key < keys.size(); key++) {
            byKey.add(key == 0 ? incidents : List.of());
        }
        return replay(new Survey(span(0, lengthMillis), Incidents.of(byKey, 0), null), policies);
    }

    private ReplayResult replay(Survey survey, String... policies) {
        try {
            List<PolicySpec> specs = new ArrayList<>();
            for (String policy : policies) {
                specs.add(PolicyParser.parse(policy));
            }
            return Replay.run(this, survey, specs, done -> {});
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The calls that begin before this moment. */
    HandMadeLog until(long atMillis) {
        HandMadeLog log = new HandMadeLog(keys.toArray(new String[0]));
        calls.stream()
                .filter(call -> call.startNanos() < BEGIN_NANOS + atMillis * MILLI)
                .forEach(log.calls::add);
        return log;
    }

    /** What breakers do with it, when nobody knows what was wrong. */
    ReplayResult survey(String... policies) {
        return replay(Survey.of(this), policies);
    }

    @Override
    public long size() {
        return calls.size();
    }

    @Override
    public List<String> keys() {
        return keys;
    }

    @Override
    public CallCursor open() {
        return new CallCursor() {

            private int next;

            private Call call() {
                return calls.get(next - 1);
            }

            @Override
            public boolean next() {
                return next++ < calls.size();
            }

            @Override
            public long startNanos() {
                return call().startNanos();
            }

            @Override
            public long durationNanos() {
                return call().durationNanos();
            }

            @Override
            public Ending ending() {
                return call().ending();
            }

            @Override
            public int key() {
                return call().key();
            }

            @Override
            public int attempt() {
                return call().attempt();
            }
        };
    }
}
