package io.nopanic.lab.replay;

/** Where the calls are that are being read: in which incident, in which block. Time does not go back. Not thread-safe. */
final class Course {

    private final Incidents incidents;
    private final Blocks blocks;
    private final int[] nextOfKey;
    private final long[] changesAtNanos;
    private final int[] incidentOfKey;
    private int block;
    private long nextBlockNanos;

    Course(Incidents incidents, Blocks blocks, int keys) {
        this.incidents = incidents;
        this.blocks = blocks;
        nextOfKey = new int[keys];
        incidentOfKey = new int[keys];
        changesAtNanos = new long[keys];
        for (int key = 0; key < keys; key++) {
            nextOfKey[key] = incidents.firstOf(key);
            incidentOfKey[key] = Incidents.NONE;
            changesAtNanos[key] = Long.MIN_VALUE;
        }
        nextBlockNanos = nextBlockNanos();
    }

    private long nextBlockNanos() {
        return block + 1 < blocks.count() ? blocks.startNanos(block + 1) : Long.MAX_VALUE;
    }

    /** A call begins. */
    void moveTo(int key, long nowNanos) {
        while (nowNanos >= nextBlockNanos) {
            block++;
            nextBlockNanos = nextBlockNanos();
        }
        if (nowNanos >= changesAtNanos[key]) {
            change(key, nowNanos);
        }
    }

    private void change(int key, long nowNanos) {
        int next = nextOfKey[key];
        int end = incidents.endOf(key);
        while (next < end && incidents.span(next).endNanos() <= nowNanos) {
            next++;
        }
        nextOfKey[key] = next;
        boolean inside = next < end && incidents.span(next).startNanos() <= nowNanos;
        incidentOfKey[key] = inside ? next : Incidents.NONE;
        changesAtNanos[key] = next == end
                ? Long.MAX_VALUE
                : inside
                        ? incidents.span(next).endNanos()
                        : incidents.span(next).startNanos();
    }

    /** The incident of the key that goes on, or {@link Incidents#NONE}. */
    int incident(int key) {
        return incidentOfKey[key];
    }

    int block() {
        return block;
    }
}
