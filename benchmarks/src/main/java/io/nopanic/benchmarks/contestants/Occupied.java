package io.nopanic.benchmarks.contestants;

import java.util.concurrent.CountDownLatch;

/** Fills a bulkhead as calls do, where there is no other way to take a permit. */
final class Occupied {

    private Occupied() {}

    /** The guard, once one call is inside, where it stays for good. */
    static Guard of(Guard guard) {
        CountDownLatch inside = new CountDownLatch(1);
        Threads.daemon(() -> {
                    try {
                        guard.call(() -> {
                            inside.countDown();
                            new CountDownLatch(1).await();
                            return Work.ANSWER;
                        });
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start();
        try {
            inside.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return guard;
    }
}
