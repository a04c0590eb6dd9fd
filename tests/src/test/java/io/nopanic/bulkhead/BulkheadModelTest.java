package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.spi.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bulkhead beside a counter and a list, through the same random steps. */
class BulkheadModelTest {

    private static final int STEPS = 20_000;

    private final List<Caller> running = new ArrayList<>();
    private final Deque<Caller> waiting = new ArrayDeque<>();
    private int limit = 3;
    private int places = 2;

    private final Bulkhead bulkhead =
            Bulkhead.builder().maxConcurrent(limit).maxQueued(places).build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void behavesLikeACounterAndAList(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < STEPS; i++) {
            int step = random.nextInt(100);
            if (step < 48) {
                come(random.nextBoolean());
            } else if (step < 90) {
                if (!running.isEmpty()) {
                    running.remove(random.nextInt(running.size())).release();
                }
            } else if (step < 96) {
                leave(random);
            } else {
                limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 100);
                places = random.nextInt(6);
                bulkhead.resize(limit, places);
            }
            letIn();
            assertAlike();
        }
    }

    private void come(boolean mayWait) {
        boolean free = running.size() < limit && waiting.isEmpty();
        Caller caller = Caller.at(bulkhead, 0, mayWait ? Long.MAX_VALUE : 0);
        assertThat(caller.isIn()).isEqualTo(free);
        assertThat(caller.waits()).isEqualTo(!free && mayWait && waiting.size() < places);
        if (caller.isIn()) {
            running.add(caller);
        } else if (caller.waits()) {
            waiting.add(caller);
        }
    }

    private void leave(SplittableRandom random) {
        if (!waiting.isEmpty()) {
            Caller leaver = new ArrayList<>(waiting).get(random.nextInt(waiting.size()));
            waiting.remove(leaver);
            assertThat(leaver.leave()).isNull();
            assertThat(leaver.check(0)).isEqualTo(Entry.Waiting.REFUSED);
        }
    }

    private void letIn() {
        while (running.size() < limit && !waiting.isEmpty()) {
            Caller next = waiting.remove();
            assertThat(next.check(0)).isEqualTo(Entry.Waiting.ADMITTED);
            running.add(next);
        }
    }

    private void assertAlike() {
        assertThat(bulkhead.inUse()).isEqualTo(running.size());
        assertThat(bulkhead.queued()).isEqualTo(waiting.size());
        assertThat(bulkhead.available()).isEqualTo(waiting.isEmpty() ? Math.max(0, limit - running.size()) : 0);
        assertThat(bulkhead.maxConcurrent()).isEqualTo(limit);
        if (!waiting.isEmpty()) {
            assertThat(waiting.getFirst().check(0)).isPositive();
        }
    }
}
