package io.nopanic.lab.logs.spool;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Sorted packed calls, as a log. */
final class SpooledCalls implements CallLog {

    private final Records records;
    private final List<String> keys;

    SpooledCalls(Records records, List<String> keys) {
        this.records = records;
        this.keys = keys;
    }

    @Override
    public long size() {
        return records.size();
    }

    @Override
    public List<String> keys() {
        return keys;
    }

    @Override
    public CallCursor open() {
        return new Cursor(new RecordReader(records, 0, records.size(), RecordFile.CHUNK));
    }

    @Override
    public void close() {
        try {
            records.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Cursor implements CallCursor {

        private final RecordReader reader;

        Cursor(RecordReader reader) {
            this.reader = reader;
        }

        @Override
        public boolean next() {
            try {
                return reader.next();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long startNanos() {
            return reader.startNanos();
        }

        @Override
        public long durationNanos() {
            return reader.durationNanos();
        }

        @Override
        public Ending ending() {
            return Packed.ending(reader.rest());
        }

        @Override
        public int key() {
            return Packed.key(reader.rest());
        }

        @Override
        public int attempt() {
            return Packed.attempt(reader.rest());
        }
    }
}
