package io.nopanic.lab.logs.spool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges runs of calls, each in order, into one. Takes from a run for as long as no other has an earlier call, so that runs which hardly
 * overlap, as those of a log do, cost one comparison per call.
 */
final class RunMerge {

    private final RecordFile target;
    private final long[] out = new long[RecordFile.CHUNK * Packed.LONGS];
    private int pending;

    private RunMerge(RecordFile target) {
        this.target = target;
    }

    /**
     * Merges all runs of a file.
     *
     * @param ends where each run ends, in calls
     * @param chunk how many calls of each run are held in memory
     */
    static void merge(RecordFile runs, List<Long> ends, int chunk, RecordFile target) throws IOException {
        List<RecordReader> readers = new ArrayList<>();
        long first = 0;
        for (long end : ends) {
            RecordReader reader = new RecordReader(runs, first, end, chunk);
            if (reader.next()) {
                readers.add(reader);
            }
            first = end;
        }
        new RunMerge(target).merge(readers);
    }

    private void merge(List<RecordReader> readers) throws IOException {
        // A heap by start and then by the number of the run: calls that began at the same time keep their order.
        PriorityQueue<Run> heap = new PriorityQueue<>();
        for (int i = 0; i < readers.size(); i++) {
            heap.add(new Run(readers.get(i), i));
        }
        while (!heap.isEmpty()) {
            Run run = heap.remove();
            Run other = heap.peek();
            boolean more = true;
            while (more && (other == null || run.compareTo(other) <= 0)) {
                take(run.reader);
                more = run.reader.next();
            }
            if (more) {
                heap.add(run);
            }
        }
        target.append(out, pending);
    }

    private void take(RecordReader reader) throws IOException {
        reader.copyTo(out, pending++);
        if (pending == RecordFile.CHUNK) {
            target.append(out, pending);
            pending = 0;
        }
    }

    private record Run(RecordReader reader, int number) implements Comparable<Run> {

        @Override
        public int compareTo(Run other) {
            int byStart = Long.compare(reader.startNanos(), other.reader.startNanos());
            return byStart != 0 ? byStart : Integer.compare(number, other.number);
        }
    }
}
