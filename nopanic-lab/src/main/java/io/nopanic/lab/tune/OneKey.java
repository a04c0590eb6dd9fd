package io.nopanic.lab.tune;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.util.List;
import java.util.OptionalLong;

/**
 * The calls of a log that went to one key, as a log of their own.
 *
 * @param log the whole
 * @param key a place in its keys
 * @param size how many there are
 */
record OneKey(CallLog log, int key, long size) implements CallLog {

    @Override
    public List<String> keys() {
        return List.of(log.keys().get(key));
    }

    @Override
    public OptionalLong slowAfterNanos() {
        return log.slowAfterNanos();
    }

    @Override
    public CallCursor open() {
        return new Cursor(log.open(), key);
    }

    private record Cursor(CallCursor all, int wanted) implements CallCursor {

        @Override
        public boolean next() {
            while (all.next()) {
                if (all.key() == wanted) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public long startNanos() {
            return all.startNanos();
        }

        @Override
        public long durationNanos() {
            return all.durationNanos();
        }

        @Override
        public Ending ending() {
            return all.ending();
        }

        @Override
        public int key() {
            return 0;
        }

        @Override
        public int attempt() {
            return all.attempt();
        }

        @Override
        public void close() {
            all.close();
        }
    }
}
