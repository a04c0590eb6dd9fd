package io.nopanic.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.breaker.CircuitBreaker;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PerKeyTest {

    @Test
    void makesOnePipelinePerKeyAndOneConfigurationForAll() {
        AtomicInteger made = new AtomicInteger();
        PerKey<String> hosts = PerKey.of(host -> {
            made.incrementAndGet();
            return Pipeline.of(CircuitBreaker.withDefaults(host));
        });
        assertThat(hosts.get("a")).isSameAs(hosts.get("a")).isNotSameAs(hosts.get("b"));
        assertThat(made).hasValue(2);
        assertThat(hosts.all()).containsOnlyKeys("a", "b");
        assertThat(hosts.get("a").policies().get(0).name()).isEqualTo("a");
    }

    @Test
    void refusesOneKeyTooManyAndTakesItWhenThereIsRoom() {
        PerKey<Integer> tenants = PerKey.of(1, tenant -> Pipeline.of());
        tenants.get(1);
        assertThatIllegalStateException().isThrownBy(() -> tenants.get(2)).withMessageContaining("key '2'");
        assertThat(tenants.remove(1)).isTrue();
        assertThat(tenants.remove(1)).isFalse();
        assertThat(tenants.get(2)).isNotNull();
    }

    @Test
    void neverHasMoreKeysThanAllowedThoughOneIsStillBeingMade() {
        AtomicReference<PerKey<Integer>> self = new AtomicReference<>();
        PerKey<Integer> tenants = PerKey.of(1, tenant -> {
            if (tenant == 1) {
                assertThatThrownBy(() -> onAnotherThread(() -> self.get().get(2)))
                        .hasCauseInstanceOf(IllegalStateException.class);
            }
            return Pipeline.of();
        });
        self.set(tenants);
        tenants.get(1);
        assertThat(tenants.all()).containsOnlyKeys(1);
    }

    @Test
    void aKeyThatCouldNotBeMadeTakesNoPlace() {
        AtomicReference<Pipeline> pipeline = new AtomicReference<>();
        PerKey<String> hosts = PerKey.of(1, host -> {
            if (host.equals("bad")) {
                throw new UnsupportedOperationException();
            }
            return pipeline.get();
        });
        assertThatThrownBy(() -> hosts.get("bad")).isInstanceOf(UnsupportedOperationException.class);
        assertThatNullPointerException().isThrownBy(() -> hosts.get("a")).withMessage("the pipeline that was made");
        pipeline.set(Pipeline.of());
        assertThat(hosts.get("b")).isSameAs(hosts.get("b"));
        assertThatIllegalStateException().isThrownBy(() -> hosts.get("a"));
        assertThat(hosts.all()).containsOnlyKeys("b");
    }

    @Test
    void aKeyThatBecomesKnownAsTheLastPlaceIsTakenIsNotRefused() {
        PerKey<Scripted> hosts = PerKey.of(1, host -> Pipeline.of());
        Scripted old = new Scripted("old");
        Scripted made = new Scripted("a");
        Scripted asked = new Scripted("a");
        hosts.get(old);
        // The look at the old key's place comes when that has gone, and ends before the new key's.
        asked.whenCompared.set(() -> {
            hosts.remove(old);
            hosts.get(made);
        });
        assertThat(hosts.get(asked)).isSameAs(hosts.get(made));
        assertThat(hosts.all()).containsOnlyKeys(made);
    }

    @Test
    void refusesALimitBelowOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerKey.of(0, key -> Pipeline.of()))
                .withMessageContaining("maxKeys is 0");
    }

    private static <T> T onAnotherThread(Callable<T> code) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        new Thread(task).start();
        return task.get(30, TimeUnit.SECONDS);
    }

    /** A key that runs something when it is compared for the first time; all lie in one place of a map. */
    private static final class Scripted {

        private final String name;
        private final AtomicReference<Runnable> whenCompared = new AtomicReference<>(() -> {});

        Scripted(String name) {
            this.name = name;
        }

        @Override
        public boolean equals(Object other) {
            whenCompared.getAndSet(() -> {}).run();
            return other instanceof Scripted scripted && scripted.name.equals(name);
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
