package io.nopanic.lab.report;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.List;

/** A log of calls that are written down one by one. */
final class FewCalls implements CallLog {

    static final long BEGIN_NANOS = 1_700_000_000_000_000_000L;

    private final List<String> keys;
    private final List<Call> calls = new ArrayList<>();

    private record Call(long startNanos, long durationNanos, Ending ending, int key) {}

    FewCalls(String... keys) {
        this.keys = List.of(keys);
    }

    /** A call that took so long. */
    FewCalls call(int key, long atMillis, long tookMillis, Ending ending) {
        calls.add(new Call(BEGIN_NANOS + atMillis * 1_000_000L, tookMillis * 1_000_000L, ending, key));
        return this;
    }

    /** A call every 100 ms to each key: healthy, but for one minute in which those to the first key fail; until so many seconds. */
    static FewCalls withOneOutage(int seconds, String... keys) {
        FewCalls log = new FewCalls(keys);
        for (int i = 0; i < seconds * 10; i++) {
            for (int key = 0; key < keys.length; key++) {
                boolean down = key == 0 && i >= 1200 && i < 1800;
                log.call(key, 100L * i + key, 20 + i % 13, down || i % 401 == 0 ? Ending.FAILURE : Ending.SUCCESS);
            }
        }
        return log;
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
                return 1;
            }
        };
    }
}
