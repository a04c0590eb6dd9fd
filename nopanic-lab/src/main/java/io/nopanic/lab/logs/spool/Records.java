package io.nopanic.lab.logs.spool;

import java.io.IOException;

/** Packed calls that can be read from any place, by several threads at the same time. */
interface Records extends AutoCloseable {

    /** How many. */
    long size();

    /**
     * Reads calls from a place on.
     *
     * @param into takes as many as it has room for
     * @return how many were read; 0 behind the last
     */
    int read(long first, long[] into) throws IOException;

    @Override
    default void close() throws IOException {}

    /** The first calls of an array. */
    static Records of(long[] records, int count) {
        return new Records() {
            @Override
            public long size() {
                return count;
            }

            @Override
            public int read(long first, long[] into) {
                int read = (int) Math.min(into.length / Packed.LONGS, Math.max(0, count - first));
                System.arraycopy(records, (int) first * Packed.LONGS, into, 0, read * Packed.LONGS);
                return read;
            }
        };
    }
}
