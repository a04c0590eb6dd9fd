package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.outcome.Classifier;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EndingsTest {

    private static final class Brittle extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void judgesErrorsOfOneClassAlikeHoweverOften() {
        Endings endings = new Endings(Classifier.builder().ignore(Brittle.class).build(), SlowLimit.NONE);
        for (int i = 0; i < 3; i++) {
            assertThat(of(endings, new Brittle())).isEqualTo(Ending.UNJUDGED);
            assertThat(of(endings, new IOException())).isEqualTo(Ending.FAILURE);
        }
    }

    @Test
    void looksIntoEachWrapper() {
        Endings endings = new Endings(Classifier.builder().ignore(Brittle.class).build(), SlowLimit.NONE);
        assertThat(of(endings, new CompletionException(new Brittle()))).isEqualTo(Ending.UNJUDGED);
        assertThat(of(endings, new CompletionException(new IOException()))).isEqualTo(Ending.FAILURE);
    }

    @Test
    void asksAPredicateForEachError() {
        AtomicInteger asked = new AtomicInteger();
        Endings endings = new Endings(
                Classifier.builder()
                        .ignoreIf(error -> asked.incrementAndGet() % 2 == 0)
                        .build(),
                SlowLimit.NONE);
        assertThat(of(endings, new IOException())).isEqualTo(Ending.FAILURE);
        assertThat(of(endings, new IOException())).isEqualTo(Ending.UNJUDGED);
    }

    @Test
    void judgesMoreClassesThanItRemembers() {
        Endings endings =
                new Endings(Classifier.builder().failOn(IOException.class).build(), SlowLimit.NONE);
        Throwable[] others = {
            new ArithmeticException(),
            new ArrayStoreException(),
            new ClassCastException(),
            new IllegalArgumentException(),
            new IllegalStateException(),
            new IndexOutOfBoundsException(),
            new NegativeArraySizeException(),
            new NullPointerException(),
            new UnsupportedOperationException(),
            new NumberFormatException()
        };
        for (int round = 0; round < 2; round++) {
            for (Throwable other : others) {
                assertThat(of(endings, other)).isEqualTo(Ending.UNJUDGED);
            }
            assertThat(of(endings, new IOException())).isEqualTo(Ending.FAILURE);
        }
    }

    @Test
    void tellsSlowFromFastForTheSameClass() {
        Endings endings = new Endings(Classifier.standard(), SlowLimit.fixed(100));
        assertThat(endings.of(null, new IOException(), 0, 99)).isEqualTo(Ending.FAILURE);
        assertThat(endings.of(null, new IOException(), 0, 100)).isEqualTo(Ending.SLOW_FAILURE);
        assertThat(endings.of("value", null, 0, 100)).isEqualTo(Ending.SLOW_SUCCESS);
    }

    private static Ending of(Endings endings, Throwable error) {
        return endings.of(null, error, 0, 0);
    }
}
