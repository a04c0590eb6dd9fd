package io.nopanic.lab.logs.spool;

/**
 * Sorts packed calls by their start; calls that began at the same time keep their order. A merge sort that touches only what is out of
 * place, so that a log which is nearly in order costs little more than a look at it, and any other {@code n log n}.
 */
final class RecordSort {

    private static final int BLOCK = 16;

    private final long[] records;
    private long[] scratch = new long[0];

    private RecordSort(long[] records) {
        this.records = records;
    }

    /** Sorts the first {@code count} calls. */
    static void sort(long[] records, int count) {
        new RecordSort(records).sort(count);
    }

    private void sort(int count) {
        for (int from = 0; from < count; from += BLOCK) {
            insertionSort(from, Math.min(from + BLOCK, count));
        }
        for (int width = BLOCK; width < count && width > 0; width *= 2) {
            for (int from = 0; from < count - width; from += 2 * width) {
                merge(from, from + width, (int) Math.min((long) from + 2L * width, count));
            }
        }
    }

    private void insertionSort(int from, int to) {
        for (int next = from + 1; next < to; next++) {
            long startNanos = start(next);
            int place = next;
            while (place > from && start(place - 1) > startNanos) {
                place--;
            }
            if (place < next) {
                int at = next * Packed.LONGS;
                long durationNanos = records[at + 1];
                long rest = records[at + 2];
                move(place, place + 1, next - place);
                put(place, startNanos, durationNanos, rest);
            }
        }
    }

    /** Merges two neighbours that are in order each. */
    private void merge(int from, int middle, int to) {
        if (start(middle - 1) <= start(middle)) {
            return;
        }
        int first = firstAbove(start(middle), from, middle);
        int end = firstNotBelow(start(middle - 1), middle, to);
        int left = middle - first;
        if (scratch.length < left * Packed.LONGS) {
            scratch = new long[left * Packed.LONGS];
        }
        System.arraycopy(records, first * Packed.LONGS, scratch, 0, left * Packed.LONGS);
        int fromLeft = 0;
        int fromRight = middle;
        int into = first;
        while (fromLeft < left) {
            int at = fromLeft * Packed.LONGS;
            if (fromRight < end && start(fromRight) < scratch[at]) {
                move(fromRight++, into++, 1);
            } else {
                put(into++, scratch[at], scratch[at + 1], scratch[at + 2]);
                fromLeft++;
            }
        }
    }

    private int firstAbove(long startNanos, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (start(middle) > startNanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private int firstNotBelow(long startNanos, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (start(middle) >= startNanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private long start(int record) {
        return records[record * Packed.LONGS];
    }

    private void put(int record, long startNanos, long durationNanos, long rest) {
        int at = record * Packed.LONGS;
        records[at] = startNanos;
        records[at + 1] = durationNanos;
        records[at + 2] = rest;
    }

    private void move(int from, int to, int count) {
        System.arraycopy(records, from * Packed.LONGS, records, to * Packed.LONGS, count * Packed.LONGS);
    }
}
