package io.nopanic.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.outcome.RejectedException;
import io.nopanic.time.Nanos;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** How a retry follows hints of the other side. */
class RetryHintsTest extends RetryScene {

    @Test
    void waitsAtLeastAsLongAsTheFailureAsks() {
        for (double random : new double[] {0, 0.5, Math.nextDown(1.0)}) {
            Run run = new Run(builder().random(always(random)).build());
            run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
            // 10 s to 10 s + 5 % + 50 ms
            assertThat(run.delays)
                    .hasSize(2)
                    .allSatisfy(delay -> assertThat(delay)
                            .isEqualTo(Duration.ofSeconds(10).plusNanos((long) (550_000_001 * random))));
        }
    }

    @Test
    void keepsALongerDelayOfItsOwn() {
        Run run =
                new Run(builder().backoff(Backoff.fixed(Duration.ofSeconds(20))).build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(20), Duration.ofSeconds(20));
    }

    @Test
    void raisesAShortDelayAboveTheCapOfTheBackoff() {
        Run run = new Run(builder()
                .backoff(Backoff.fixed(ms(1)).withCap(ms(100)))
                .random(always(0))
                .build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    @Test
    void followsAHintNoLongerThanItsCap() {
        for (Duration hint : List.of(Duration.ofSeconds(61), Duration.ofDays(365), HUGE)) {
            Run run = new Run(builder().random(always(0)).build());
            run.call(attempt -> new Hinted(hint));
            assertThat(run.delays).containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(60));
        }
        Run spread = new Run(builder().random(always(Math.nextDown(1.0))).build());
        spread.call(attempt -> new Hinted(HUGE));
        assertThat(spread.delays.get(0)).isEqualTo(ms(63_050));
        Run longer = new Run(builder().random(always(0)).retryAfterCap(HUGE).build());
        longer.call(attempt -> new Hinted(HUGE));
        assertThat(longer.delays.get(0)).isEqualTo(Duration.ofNanos(Nanos.FOREVER));
    }

    @Test
    void takesANegativeHintAndZeroAndNoneAsNoHint() {
        for (Duration hint : new Duration[] {ms(-5), Duration.ofSeconds(Long.MIN_VALUE), Duration.ZERO, null}) {
            Run run = new Run(builder().backoff(Backoff.fixed(ms(7))).build());
            run.call(attempt -> new Hinted(hint));
            assertThat(run.delays).containsExactly(ms(7), ms(7));
        }
    }

    @Test
    void readsHintsFromResultsAndRefusalsAndWrappedErrors() {
        Run result = new Run(builder()
                .random(always(0))
                .retryOnResult(Response.class, r -> r.status == 503)
                .build());
        result.call(attempt -> new Response(503, Duration.ofSeconds(3)));
        assertThat(result.delays).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));

        Run refusal = new Run(
                builder().random(always(0)).retryOn(RejectedException.class).build());
        refusal.call(attempt -> new Refused(5_000_000_000L));
        assertThat(refusal.delays).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));

        Run wrapped = new Run(builder().random(always(0)).build());
        wrapped.call(attempt -> new CompletionException(new Hinted(Duration.ofSeconds(4))));
        assertThat(wrapped.delays).containsExactly(Duration.ofSeconds(4), Duration.ofSeconds(4));
    }

    @Test
    void readsHintsWithFunctionsAndFollowsTheLongest() {
        Run run = new Run(builder()
                .random(always(0))
                .retryAfterFrom(Exception.class, error -> Optional.of(Duration.ofSeconds(2)))
                .retryAfterFrom(IOException.class, error -> Optional.of(Duration.ofSeconds(9)))
                .build());
        run.call(attempt -> attempt == 1 ? new Hinted(Duration.ofSeconds(1)) : new Hinted(Duration.ofSeconds(3)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void ignoresHintsIfToldSo() {
        Run run = new Run(builder()
                .retryAfterCap(Duration.ZERO)
                .backoff(Backoff.fixed(ms(7)))
                .build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(1)));
        assertThat(run.delays).containsExactly(ms(7), ms(7));
    }
}
