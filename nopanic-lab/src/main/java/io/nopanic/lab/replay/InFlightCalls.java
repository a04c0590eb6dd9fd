package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;
import java.util.Arrays;

/**
 * The calls that were let in and have not ended, the next to end first; those that end at the same time in the order in which they came. A binary heap of
 * places, and the calls in those places; grows with the calls in flight and allocates nothing else.
 */
final class InFlightCalls {

    private static final int INITIAL = 64;

    private int[] heap = new int[INITIAL];
    private int size;

    /** Places that are free, as a stack. */
    private int[] free = new int[INITIAL];

    private int freeCount;

    private long[] endNanos = new long[INITIAL];
    private long[] number = new long[INITIAL];
    private long[] startNanos = new long[INITIAL];
    private long[] permit = new long[INITIAL];
    private int[] key = new int[INITIAL];
    private Ending[] ending = new Ending[INITIAL];
    private long added;

    InFlightCalls() {
        freeFrom(0);
    }

    private void freeFrom(int from) {
        for (int place = free.length - 1; place >= from; place--) {
            free[freeCount++] = place;
        }
    }

    void add(long callStartNanos, long callEndNanos, long callPermit, int callKey, Ending callEnding) {
        if (freeCount == 0) {
            grow();
        }
        int place = free[--freeCount];
        endNanos[place] = callEndNanos;
        number[place] = added++;
        startNanos[place] = callStartNanos;
        permit[place] = callPermit;
        key[place] = callKey;
        ending[place] = callEnding;
        siftUp(size++, place);
    }

    private void grow() {
        int before = free.length;
        int after = before * 2;
        heap = Arrays.copyOf(heap, after);
        free = Arrays.copyOf(free, after);
        endNanos = Arrays.copyOf(endNanos, after);
        number = Arrays.copyOf(number, after);
        startNanos = Arrays.copyOf(startNanos, after);
        permit = Arrays.copyOf(permit, after);
        key = Arrays.copyOf(key, after);
        ending = Arrays.copyOf(ending, after);
        freeFrom(before);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the next call ends; {@link Long#MAX_VALUE} if there is none. */
    long nextEndNanos() {
        return size == 0 ? Long.MAX_VALUE : endNanos[heap[0]];
    }

    long nextStartNanos() {
        return startNanos[heap[0]];
    }

    long nextPermit() {
        return permit[heap[0]];
    }

    int nextKey() {
        return key[heap[0]];
    }

    Ending nextEnding() {
        return ending[heap[0]];
    }

    /** Takes the next call out. */
    void remove() {
        free[freeCount++] = heap[0];
        int last = heap[--size];
        if (size > 0) {
            siftDown(last);
        }
    }

    private boolean isBefore(int a, int b) {
        return endNanos[a] != endNanos[b] ? endNanos[a] < endNanos[b] : number[a] < number[b];
    }

    private void siftUp(int from, int place) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(place, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = place;
    }

    private void siftDown(int place) {
        int at = 0;
        for (; ; ) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], place)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = place;
    }
}
