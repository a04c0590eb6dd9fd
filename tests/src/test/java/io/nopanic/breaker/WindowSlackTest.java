package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.threads.ThreadHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A time window with 1,000 good calls is reason to open with the thousandth bad one, whichever counters the bad ones go to. There is a thread for
 * each stripe, so that all counters can be filled up to where they look.
 */
class WindowSlackTest {

    private static final int STRIPE_BITS = Integer.numberOfTrailingZeros(TimeWindow.STRIPES);
    private static final int GOOD = 1000;
    private static final int ENOUGH = GOOD;
    private static final List<Ending> BAD = List.of(Ending.FAILURE, Ending.SLOW_SUCCESS, Ending.SLOW_FAILURE);

    private final List<ExecutorService> others = new ArrayList<>();
    private final List<ExecutorService> threadOfStripe = new ArrayList<>(Collections.nCopies(TimeWindow.STRIPES, null));

    private TimeWindow window = healthyWindow();
    private int bad;
    private int looks;
    private int openedAt;

    /** Where an outcome is counted. */
    private record Counter(int stripe, Ending ending) {}

    @BeforeEach
    void findAThreadForEachStripe() throws Exception {
        while (threadOfStripe.contains(null)) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            int stripe = (int)
                    thread.submit(() -> ThreadHash.ofCurrent(STRIPE_BITS)).get().longValue();
            if (threadOfStripe.get(stripe) == null) {
                threadOfStripe.set(stripe, thread);
            } else {
                others.add(thread);
            }
        }
    }

    private static TimeWindow healthyWindow() {
        Thresholds thresholds = new Thresholds(5, Thresholds.OFF, Thresholds.OFF, 0.5);
        TimeWindow window = new TimeWindow(thresholds, 30_000_000_000L, 10, 0);
        for (int i = 0; i < GOOD; i++) {
            window.record(Ending.SUCCESS, 0);
        }
        return window;
    }

    private void beginAnew() {
        window = healthyWindow();
        bad = 0;
        openedAt = 0;
    }

    @AfterEach
    void end() {
        threadOfStripe.forEach(ExecutorService::shutdownNow);
        others.forEach(ExecutorService::shutdownNow);
    }

    private static List<Counter> counters() {
        List<Counter> counters = new ArrayList<>();
        for (int stripe = 0; stripe < TimeWindow.STRIPES; stripe++) {
            for (Ending ending : BAD) {
                counters.add(new Counter(stripe, ending));
            }
        }
        return counters;
    }

    private void on(int stripe, Runnable action) throws Exception {
        Future<?> done = threadOfStripe.get(stripe).submit(action);
        done.get();
    }

    /** A bad call comes back, and looks if it has to; whether it had to. */
    private boolean record(Ending ending, Overdue meanwhile) {
        bad++;
        int number = bad;
        if (!window.record(ending, 0)) {
            return false;
        }
        looks++;
        if (window.reaches(meanwhile, 0) && openedAt == 0) {
            openedAt = number;
        }
        return true;
    }

    /** While somebody deals, so many bad calls come back and go to one counter. Each finds no limit, and looks. */
    private Overdue meanwhile(Ending ending, int times) {
        return new Overdue() {
            private boolean isDone;

            @Override
            public long overdue(long nowNanos) {
                return 0;
            }

            @Override
            public long look(long nowNanos) {
                for (int i = 0; i < times && !isDone; i++) {
                    assertThat(record(ending, Overdue.NONE)).isTrue();
                }
                isDone = true;
                return 0;
            }
        };
    }

    private void fillUntilItLooks(Counter counter) throws Exception {
        on(counter.stripe, () -> {
            while (openedAt == 0 && !record(counter.ending, Overdue.NONE)) {
                assertThat(bad).isLessThan(ENOUGH);
            }
        });
    }

    private void fillUntilItOpens(Consumer<List<Counter>> order) throws Exception {
        List<Counter> counters = counters();
        while (openedAt == 0) {
            order.accept(counters);
            for (Counter counter : counters) {
                fillUntilItLooks(counter);
            }
        }
        assertThat(openedAt).isEqualTo(ENOUGH);
    }

    @Test
    void opensWithTheLastOneThoughEveryCounterIsFilled() throws Exception {
        fillUntilItOpens(counters -> {});
        assertThat(looks).isLessThan(ENOUGH / 3);
    }

    /** 42 to a counter is what the first look deals out. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 40, 41, 42, 43, 60, 500, 997})
    void opensWithTheLastOneThoughOthersLookedWhileLimitsWereDealtOut(int times) throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            beginAnew();
            opensWithTheLastOne(times, new Random(seed));
        }
    }

    private void opensWithTheLastOne(int times, Random random) throws Exception {
        Counter first = counters().get(random.nextInt(counters().size()));
        on(first.stripe, () -> record(first.ending, meanwhile(first.ending, times)));
        fillUntilItOpens(counters -> {
            Collections.shuffle(counters, random);
            counters.remove(first);
            counters.add(first);
        });
    }
}
