package io.nopanic.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nopanic.breaker.CircuitBreaker;
import java.util.concurrent.atomic.AtomicInteger;
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
    void refusesALimitBelowOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerKey.of(0, key -> Pipeline.of()))
                .withMessageContaining("maxKeys is 0");
    }
}
