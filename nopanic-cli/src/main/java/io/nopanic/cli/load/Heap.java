package io.nopanic.cli.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.ref.Reference;

/** The heap, as the garbage collector sees it. */
final class Heap {

    /** Two readings that differ by no more than this are the same. */
    private static final long SAME_BYTES = 1024;

    private static final int MAX_COLLECTIONS = 8;

    private Heap() {}

    /** As {@link #usedBytes()}, while this object and all that it refers to are still in use. */
    static long usedBytesWith(Object kept) {
        try {
            return usedBytes();
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    /** Collects garbage until that frees nothing more, and returns how many bytes are left in use then. */
    static long usedBytes() {
        long before;
        long after = collect();
        int collections = 1;
        do {
            before = after;
            after = collect();
            collections++;
        } while (Math.abs(after - before) > SAME_BYTES && collections < MAX_COLLECTIONS);
        return after;
    }

    @SuppressWarnings("SystemGc") // to know what is left after one is the point
    private static long collect() {
        System.gc();
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage left = pool.getCollectionUsage();
            if (pool.getType() == MemoryType.HEAP && left != null) {
                bytes += left.getUsed();
            }
        }
        return bytes;
    }
}
