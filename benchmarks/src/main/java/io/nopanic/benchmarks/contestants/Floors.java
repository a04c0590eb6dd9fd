package io.nopanic.benchmarks.contestants;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** What guards are made of. Each is one object for all threads: with one thread nothing contends for it, with more they do. */
final class Floors {

    private Floors() {}

    static List<Contestant> all() {
        return List.of(
                floor("direct call", () -> body -> body.call() == Work.ANSWER ? 1 : 0),
                floor("nanoTime", () -> body -> System.nanoTime()),
                floor("currentTimeMillis", () -> body -> System.currentTimeMillis()),
                floor("atomic add", Floors::atomicAdd),
                floor("nanoTime, 2 atomic adds", () -> timeAndAdds(2)),
                floor("nanoTime, 3 atomic adds", () -> timeAndAdds(3)),
                floor("CAS loop", Floors::casLoop),
                floor("LongAdder", Floors::longAdder),
                floor("ReentrantLock", Floors::lock),
                floor("Semaphore", Floors::semaphore));
    }

    private static Contestant floor(String name, java.util.function.Supplier<Floor> maker) {
        return new Contestant(Group.FLOOR, name, maker);
    }

    private static Floor atomicAdd() {
        AtomicLong counter = new AtomicLong();
        return body -> counter.getAndIncrement();
    }

    /** What a pipeline cannot go below whose policies share one reading of the clock, and write so many words that others may write too. */
    private static Floor timeAndAdds(int adds) {
        AtomicLong[] counters = Stream.generate(AtomicLong::new).limit(adds).toArray(AtomicLong[]::new);
        return body -> {
            long sum = System.nanoTime();
            for (AtomicLong counter : counters) {
                sum += counter.getAndIncrement();
            }
            return sum;
        };
    }

    private static Floor casLoop() {
        AtomicLong counter = new AtomicLong();
        return body -> {
            while (true) {
                long seen = counter.get();
                if (counter.compareAndSet(seen, seen + 1)) {
                    return seen;
                }
            }
        };
    }

    private static Floor longAdder() {
        LongAdder counter = new LongAdder();
        return body -> {
            counter.increment();
            return 1;
        };
    }

    private static Floor lock() {
        ReentrantLock lock = new ReentrantLock();
        long[] counter = new long[1];
        return body -> {
            lock.lock();
            try {
                return counter[0]++;
            } finally {
                lock.unlock();
            }
        };
    }

    private static Floor semaphore() {
        Semaphore semaphore = new Semaphore(Settings.CONCURRENT);
        return body -> {
            boolean taken = semaphore.tryAcquire();
            if (taken) {
                semaphore.release();
            }
            return taken ? 1 : 0;
        };
    }
}
