package io.example.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A policy written outside of nopanic is run as its own are. */
class QuotaTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final VirtualTime time = VirtualTime.create();
    private final Quota quota = Quota.builder()
            .name("contract")
            .time(time.time())
            .calls(2)
            .per(HOUR)
            .build();

    @ParameterizedTest
    @EnumSource(Mode.class)
    void letsSoManyCallsInPerPeriod(Mode mode) {
        Guarded service =
                mode.guard(Pipeline.of(quota), time, ScriptedDependency.on(time).thenSucceed("ok"));
        assertThat(service.call(2)).allMatch(answer -> answer.succeeded());
        time.advance(Duration.ofMinutes(20));
        assertThat(service.call().error()).isInstanceOfSatisfying(QuotaExceededException.class, refusal -> {
            assertThat(refusal.retryAfter()).contains(Duration.ofMinutes(40));
            assertThat(refusal.policy()).isEqualTo("contract");
        });
        assertThat(service.callAfter(Duration.ofMinutes(40)).value()).isEqualTo("ok");
    }

    @Test
    void doesNotChargeCallsThatAPolicyFurtherInRefused() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(1);
        Pipeline pipeline = Pipeline.of(quota, bulkhead);
        Permit busy = Pipeline.of(bulkhead).admit();
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> pipeline.call(() -> 1)).isInstanceOf(BulkheadFullException.class);
        }
        busy.succeeded(1);
        assertThat(pipeline.<Integer>call(() -> 1)).isEqualTo(1);
        assertThat(pipeline.<Integer>call(() -> 2)).isEqualTo(2);
        assertThatThrownBy(() -> pipeline.call(() -> 3)).isInstanceOf(QuotaExceededException.class);
    }

    @Test
    void standsInDescriptionsAndRefusesSettingsThatMakeNoSense() {
        assertThat(Pipeline.of(quota).describe()).contains("quota 'contract': 2 calls per PT1H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quota.builder().calls(0))
                .withMessageContaining("calls is 0");
    }
}
