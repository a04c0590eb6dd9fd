package io.nopanic.lab.call;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A log in which a call that was answered after a certain time or later is {@link Ending#SLOW}. Calls of unknown duration are not. */
public final class SlowCalls implements CallLog {

    private final CallLog log;
    private final long slowAfterNanos;

    /**
     * Of these calls.
     *
     * @param log is closed with this one
     * @param slowAfter how long a call takes that is slow, at least 1 ns
     */
    public SlowCalls(CallLog log, Duration slowAfter) {
        if (slowAfter.isZero() || slowAfter.isNegative()) {
            throw new IllegalArgumentException("slowAfter is " + slowAfter + ", allowed is more than 0");
        }
        this.log = log;
        this.slowAfterNanos = slowAfter.toNanos();
    }

    @Override
    public long size() {
        return log.size();
    }

    @Override
    public List<String> keys() {
        return log.keys();
    }

    @Override
    public OptionalLong slowAfterNanos() {
        return OptionalLong.of(slowAfterNanos);
    }

    @Override
    public CallCursor open() {
        return new Cursor(log.open(), slowAfterNanos);
    }

    @Override
    public void close() {
        log.close();
    }

    private record Cursor(CallCursor call, long slowAfterNanos) implements CallCursor {

        @Override
        public boolean next() {
            return call.next();
        }

        @Override
        public long startNanos() {
            return call.startNanos();
        }

        @Override
        public long durationNanos() {
            return call.durationNanos();
        }

        @Override
        public Ending ending() {
            Ending ending = call.ending();
            return ending == Ending.SUCCESS && call.durationNanos() >= slowAfterNanos ? Ending.SLOW : ending;
        }

        @Override
        public int key() {
            return call.key();
        }

        @Override
        public int attempt() {
            return call.attempt();
        }

        @Override
        public void close() {
            call.close();
        }
    }
}
