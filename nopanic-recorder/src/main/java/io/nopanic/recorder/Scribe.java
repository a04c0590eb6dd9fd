package io.nopanic.recorder;

import io.nopanic.events.Event;
import io.nopanic.outcome.ReportedOnce;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands calls over to a thread that writes them. Handing over never waits: when too many calls are waiting, or cannot be written, they are counted as
 * lost, and the count is written where they would have stood.
 */
final class Scribe {

    /** How long calls may wait until they are written, when there are few. */
    private static final long PAUSE_NANOS = 100_000_000L;

    /** How long closing waits for a disk that does not answer. */
    private static final long PATIENCE_MILLIS = 10_000;

    private static final int MOST_CHARACTERS = 1 << 15;

    /** Many batches fit into a file, so that no file is much shorter than it might be. */
    private static final int LEAST_BATCHES = 4;

    private final FileRing files;
    private final int maxWaiting;
    private final int maxCharacters;
    private final ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final ReportedOnce faults = new ReportedOnce(
            Recorder.class, "calls cannot be recorded; those that are lost are counted, and it goes on trying");
    private final Thread thread;
    private volatile boolean closed;

    /** That the thread takes nothing more from the queue; whoever takes a call out of it from then on counts it. */
    private volatile boolean ended;

    /** Of the writing thread only. */
    private final StringBuilder batch = new StringBuilder();

    private long callsInBatch;
    private long lostAndTold;

    Scribe(FileRing files, int maxWaiting, long maxBytes) {
        this.files = files;
        this.maxWaiting = maxWaiting;
        this.maxCharacters = (int) Math.min(MOST_CHARACTERS, maxBytes / LEAST_BATCHES);
        this.thread = new Thread(null, this::run, "nopanic-recorder", 0, false);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Leaves a call to the thread. */
    void call(Event.Stamp stamp, long durationNanos, @Nullable Throwable error) {
        if (closed) {
            lost.incrementAndGet();
            return;
        }
        int before = waiting.getAndIncrement();
        if (before >= maxWaiting) {
            waiting.decrementAndGet();
            lost.incrementAndGet();
            return;
        }
        Call call = new Call(stamp, durationNanos, error);
        queue.add(call);
        if (ended && queue.remove(call)) {
            lost.incrementAndGet();
        }
        if (before == maxWaiting / 2) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits until what was left before has been written, or lost. */
    void flush() throws InterruptedException {
        Mark mark = new Mark(new CountDownLatch(1));
        queue.add(mark);
        LockSupport.unpark(thread);
        boolean isReached = false;
        while (!isReached && thread.isAlive()) {
            isReached = mark.reached.await(PAUSE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Lets the thread write what is there, and end. Waits for that also in a thread that is interrupted, and leaves it so. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean isInterrupted = Thread.interrupted();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    long written() {
        return written.get();
    }

    long lost() {
        return lost.get();
    }

    private void run() {
        boolean isLast;
        do {
            isLast = closed;
            writeAll();
            if (!isLast && queue.isEmpty()) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        } while (!isLast);
        ended = true;
        writeAll();
        try {
            files.close();
        } catch (IOException e) {
            faults.thrown(e);
        }
    }

    private void writeAll() {
        for (Item item = queue.poll(); item != null; item = queue.poll()) {
            if (item instanceof Call call) {
                waiting.decrementAndGet();
                append(call);
            } else if (item instanceof Mark mark) {
                writeBatch();
                mark.reached.countDown();
            }
            if (batch.length() >= maxCharacters) {
                writeBatch();
            }
        }
        writeBatch();
    }

    private void append(Call call) {
        int before = batch.length();
        try {
            Line.append(batch, call.stamp, call.durationNanos, call.error);
            callsInBatch++;
        } catch (RuntimeException | Error e) {
            batch.setLength(before);
            lost.incrementAndGet();
            faults.thrown(e);
        }
    }

    private void writeBatch() {
        long lostSoFar = lost.get();
        if (lostSoFar > lostAndTold) {
            Line.appendLost(batch, lostSoFar - lostAndTold);
        }
        if (batch.length() == 0) {
            return;
        }
        try {
            files.write(batch.toString());
            lostAndTold = lostSoFar;
            written.addAndGet(callsInBatch);
        } catch (IOException | RuntimeException | Error e) {
            faults.thrown(e);
            lost.addAndGet(callsInBatch);
        }
        callsInBatch = 0;
        batch.setLength(0);
    }

    private sealed interface Item {}

    private record Call(
            Event.Stamp stamp, long durationNanos, @Nullable Throwable error) implements Item {}

    /** Is reached when all before it has been written. */
    private record Mark(CountDownLatch reached) implements Item {}
}
