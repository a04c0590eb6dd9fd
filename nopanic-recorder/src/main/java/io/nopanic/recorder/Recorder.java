package io.nopanic.recorder;

import io.nopanic.events.Event;
import io.nopanic.spi.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Writes down how calls through pipelines end, one line of JSON for each: when it began, how long it took, the name of the pipeline, and whether it
 * succeeded, failed, or was refused. Nothing of what was asked or answered, and of an error only the name of its class. The command line tool replays
 * such a record.
 *
 * <p>It listens: {@code pipeline.events().subscribe(recorder)}, or {@code Events.ofProcess().subscribe(recorder)} for all pipelines of a process. A call is
 * never held up by the disk and never fails because of it: lines wait in a buffer of bounded size for a daemon thread that writes them, and those for which
 * there is no room, or which cannot be written, are counted, here and in the record. What ended less than a tenth of a second before the end of the process may be
 * missing unless the recorder is closed.
 *
 * <p>Thread-safe. One recorder, one file; no two may write the same.
 */
public final class Recorder implements Consumer<Event>, AutoCloseable {

    private final Scribe scribe;
    private final double sample;
    private final RandomGenerator random;

    private Recorder(Builder builder, Scribe scribe) {
        this.scribe = scribe;
        this.sample = builder.sample;
        this.random = builder.random;
    }

    /** A recorder that writes lines of JSON to a file. What is in the file stays; lines are added behind it. */
    public static Builder jsonl(Path file) {
        return new Builder(Objects.requireNonNull(file, "file"));
    }

    /** Takes the end of a call through a pipeline; other events are of no interest. */
    @Override
    public void accept(Event event) {
        if (event instanceof Event.CallSucceeded succeeded && isTaken()) {
            scribe.call(succeeded.stamp(), succeeded.durationNanos(), null);
        } else if (event instanceof Event.CallFailed failed && isTaken()) {
            scribe.call(failed.stamp(), failed.durationNanos(), failed.error());
        }
    }

    private boolean isTaken() {
        return sample >= 1 || random.nextDouble() < sample;
    }

    /**
     * Waits until all calls that ended before are in the file, or known to be lost.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void flush() throws InterruptedException {
        scribe.flush();
    }

    /** How many calls are in the file, or in files before it. */
    public long written() {
        return scribe.written();
    }

    /** How many calls could not be recorded. */
    public long lost() {
        return scribe.lost();
    }

    /** Writes what is waiting and closes the file; gives up after ten seconds if the disk does not answer. Calls that end later are counted as lost. */
    @Override
    public void close() {
        scribe.close();
    }

    /** Collects the settings of a recorder. Not thread-safe. */
    public static final class Builder {

        private static final long DEFAULT_MAX_BYTES = 64L << 20;
        private static final long LEAST_MAX_BYTES = 4096;
        private static final int DEFAULT_FILES = 4;
        private static final int MOST_FILES = 1000;
        private static final int DEFAULT_BUFFER = 8192;

        private final Path file;
        private long maxBytes = DEFAULT_MAX_BYTES;
        private int files = DEFAULT_FILES;
        private int buffer = DEFAULT_BUFFER;
        private double sample = 1;
        private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

        private Builder(Path file) {
            this.file = file;
        }

        /** How large a file becomes before it is put aside and another is begun, 4096 bytes or more. Default: 64 MiB. */
        public Builder maxBytes(long value) {
            maxBytes = Require.between("maxBytes", value, LEAST_MAX_BYTES, Long.MAX_VALUE);
            return this;
        }

        /**
         * How many files there are at most, 1 to 1000, the one that is being written among them; the older ones have numbers at the end of their
         * names, and the oldest goes when there are more. Default: 4.
         */
        public Builder files(int value) {
            files = Require.between("files", value, 1, MOST_FILES);
            return this;
        }

        /**
         * The share of calls that is recorded, more than 0 and at most 1, each by chance and on its own. The record says so in its first line, for rates
         * of calls have to be read with it; and several failures in a row are no longer in a row. Default: 1.
         */
        public Builder sample(double share) {
            sample = Require.share("sample", share);
            return this;
        }

        /** How many calls may wait to be written, 1 or more; when there are more, they are lost and counted. Default: 8192. */
        public Builder buffer(int calls) {
            buffer = Require.between("buffer", calls, 1, Integer.MAX_VALUE);
            return this;
        }

        /** Decides which calls are in the sample; has to be thread-safe if several pipelines are recorded. Default: a generator of each thread. */
        public Builder random(RandomGenerator value) {
            random = Objects.requireNonNull(value, "random");
            return this;
        }

        /**
         * Opens the file and begins to write.
         *
         * @throws UncheckedIOException if the file cannot be opened for writing
         */
        public Recorder build() {
            FileRing ring = new FileRing(file, maxBytes, files, Line.header(sample));
            try {
                ring.open();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write to " + file, e);
            }
            Scribe scribe = new Scribe(ring, buffer, maxBytes);
            scribe.start();
            return new Recorder(this, scribe);
        }
    }
}
