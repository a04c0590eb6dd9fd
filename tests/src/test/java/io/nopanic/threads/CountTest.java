package io.nopanic.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CountTest {

    private static final int INDEX = StripeLayout.STRIDE;

    @Test
    void theFirstThreadThatCountsOwnsTheCountAndOthersAddBesideIt() {
        long[] words = new long[2 * StripeLayout.STRIDE];

        BiasedCount.increment(words, INDEX, 7);
        BiasedCount.increment(words, INDEX, 8);
        BiasedCount.increment(words, INDEX, 7);
        BiasedCount.increment(words, INDEX, 7);

        assertThat(words[INDEX]).as("counted by the owner as the owner").isEqualTo(2);
        assertThat(BiasedCount.sum(words, INDEX)).isEqualTo(4);
    }

    @Test
    void aCountTouchesItsOwnWordsOnly() {
        long[] words = new long[2 * StripeLayout.STRIDE];

        BiasedCount.increment(words, INDEX, 7);
        BiasedCount.increment(words, INDEX, 7);
        BiasedCount.increment(words, INDEX, 9);

        for (int word = 0; word < words.length; word++) {
            if (word < INDEX || word >= INDEX + BiasedCount.WORDS) {
                assertThat(words[word]).as("word %d", word).isZero();
            }
        }
    }

    @Test
    void nothingIsLostHoweverManyThreadsShareTheStripes() throws Exception {
        int threads = 24;
        int each = 20_000;
        StripedCount count = new StripedCount();
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(pool.submit(() -> {
                    together.await();
                    for (int i = 0; i < each; i++) {
                        count.increment();
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdown();
        }

        assertThat(count.sum()).isEqualTo((long) threads * each);
    }
}
