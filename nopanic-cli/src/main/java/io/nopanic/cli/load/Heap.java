package io.nopanic.cli.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.ref.Reference;

/** The heap, as the garbage collector sees it. */
final class Heap {

    private Heap() {}

    /** As {@link #usedBytes()}, while this object and all that it refers to are still in use. */
    static long usedBytesWith(Object kept) {
        try {
            return usedBytes();
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    /** Collects garbage, and returns how many bytes were left in use when that was done. */
    @SuppressWarnings("SystemGc") // to know what is left after one is the point
    static long usedBytes() {
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
