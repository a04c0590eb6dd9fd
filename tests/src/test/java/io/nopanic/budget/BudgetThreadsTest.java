package io.nopanic.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A budget that many threads count and spend at once. */
class BudgetThreadsTest {

    private final VirtualTime time = VirtualTime.create();

    @Test
    void grantsNoMoreToManyThreadsThanToOne() throws Exception {
        for (int round = 0; round < 200; round++) {
            Budget budget = budget(0.5, 1);
            AtomicInteger granted = new AtomicInteger();
            inParallel(4, () -> {
                for (int i = 0; i < 20; i++) {
                    budget.onCall();
                    if (budget.trySpend(time.nanos())) {
                        granted.incrementAndGet();
                    }
                }
            });
            granted.addAndGet((int) granted(budget));
            assertThat(granted).hasValue(40 + 10);
        }
    }

    @Test
    void losesNoGrantWhileASliceIsReplaced() throws Exception {
        int replaced = 0;
        for (int round = 0; round < 100; round++) {
            Budget budget = budget(0, 200);
            AtomicInteger granted = new AtomicInteger();
            AtomicInteger replacements = new AtomicInteger();
            AtomicInteger spending = new AtomicInteger(2);
            AtomicInteger thread = new AtomicInteger();
            inParallel(3, () -> {
                if (thread.getAndIncrement() == 0) {
                    while (spending.get() > 0) {
                        // Nothing is on the books for that time, so this only replaces the slice.
                        budget.giveBack(time.nanos() - Duration.ofMinutes(1).toNanos());
                        replacements.incrementAndGet();
                    }
                } else {
                    granted.addAndGet((int) granted(budget));
                    spending.decrementAndGet();
                }
            });
            assertThat(granted).hasValue(2000);
            replaced += replacements.get();
        }
        assertThat(replaced).isPositive();
    }

    @Test
    void losesNoGrantWhileTheWindowMovesAndGrantsComeBack() throws Exception {
        for (int round = 0; round < 50; round++) {
            Budget budget = budget(0, 2);
            AtomicLong clock = new AtomicLong(time.nanos());
            AtomicInteger kept = new AtomicInteger();
            // Together the threads move the clock on by 8 seconds: every grant is still in the window at the end.
            inParallel(4, () -> {
                for (int i = 0; i < 200; i++) {
                    long now = clock.addAndGet(10_000_000);
                    if (budget.trySpend(now)) {
                        if (i % 3 == 0) {
                            budget.giveBack(now);
                        } else {
                            kept.incrementAndGet();
                        }
                    }
                }
            });
            while (budget.trySpend(clock.get())) {
                kept.incrementAndGet();
            }
            assertThat(kept).hasValue(20);
        }
    }

    private Budget budget(double ratio, double minPerSecond) {
        return Budget.builder()
                .time(time.time())
                .ratio(ratio)
                .minPerSecond(minPerSecond)
                .build();
    }

    private long granted(Budget budget) {
        long granted = 0;
        while (budget.trySpend(time.nanos())) {
            granted++;
        }
        return granted;
    }

    private static void inParallel(int threads, Runnable work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Throwable> failures = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    work.run();
                } catch (Throwable thrown) {
                    synchronized (failures) {
                        failures.add(thrown);
                    }
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }
}
