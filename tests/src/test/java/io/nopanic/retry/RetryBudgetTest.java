package io.nopanic.retry;

import static io.nopanic.events.Event.GiveUpReason.BUDGET_EXHAUSTED;
import static io.nopanic.events.Event.GiveUpReason.CANCELLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a retry spends from its budget. */
class RetryBudgetTest extends RetryScene {

    @Test
    void boundsTheLoadOnADependencyThatFailsAltogether() {
        Budget budget = budget(0.2, 0.3);
        Retry retry =
                builder().attempts(4).budget(budget).backoff(Backoff.none()).build();
        List<Event> gaveUp = new ArrayList<>();
        retry.events().subscribe(Event.RetryGaveUp.class, gaveUp::add);
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += new Run(retry).attemptsOf(FAILURE);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 3);
        assertThat(gaveUp)
                .hasSize(1000)
                .filteredOn(each -> ((Event.RetryGaveUp) each).reason() == BUDGET_EXHAUSTED)
                .hasSizeGreaterThan(800);
    }

    @Test
    void boundsTheLoadByDefault() {
        Retry retry = builder().backoff(Backoff.none()).build();
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += new Run(retry).attemptsOf(FAILURE);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 100);
    }

    @Test
    void boundsNestedRetriesTogetherWhenTheyShareABudget() {
        Budget budget = budget(0.2, 0.3);
        Retry outermost = builder().budget(budget).backoff(Backoff.none()).build();
        List<Retry> inner = IntStream.range(0, 3)
                .mapToObj(i -> builder()
                        .budget(budget.spendOnly())
                        .backoff(Backoff.none())
                        .build())
                .toList();
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += nested(outermost, inner);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 3);
    }

    private int nested(Retry retry, List<Retry> inner) {
        int[] attempts = {0};
        new Run(retry).call(attempt -> {
            attempts[0] += inner.isEmpty() ? 1 : nested(inner.get(0), inner.subList(1, inner.size()));
            return FAILURE;
        });
        return attempts[0];
    }

    @Test
    void endsWithTheLastFailureWhenTheBudgetIsExhausted() {
        Run run = new Run(builder().budget(budget(0, 0.1)).attempts(10).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(2);
        assertThat(run.reason()).isEqualTo(BUDGET_EXHAUSTED);
    }

    @Test
    void spendsNothingOnAttemptsThatAreNotMade() {
        Budget budget = budget(0, 0.5);
        Retry retry = builder()
                .budget(budget)
                .maxDuration(ms(1))
                .backoff(Backoff.fixed(ms(5)))
                .build();
        new Run(retry).attemptsOf(FAILURE);
        new Run(retry).attemptsOf(new InterruptedException());
        new Run(builder().budget(budget).attempts(1).build()).attemptsOf(FAILURE);
        assertThat(budget.available()).isEqualTo(5);
    }

    @Test
    void retriesWithoutABudgetIfToldSo() {
        Retry retry = builder().noBudget().attempts(500).backoff(Backoff.none()).build();
        assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(500);
        assertThat(retry.budget()).isEmpty();
    }

    @Test
    void givesItsBudgetBackAndStopsWhenTheWaitIsInterrupted() {
        Budget budget = budget(0, 0.5);
        Run run =
                new Run(builder().budget(budget).retryOnResult(Objects::isNull).build());
        run.interruptedAt = 1;
        assertThat(run.call(attempt -> null)).isEqualTo("interrupted");
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.reason()).isEqualTo(CANCELLED);
        assertThat(budget.available()).isEqualTo(5);
    }

    @Test
    void givesNothingBackWithoutABudget() {
        Run run = new Run(builder().noBudget().build());
        run.interruptedAt = 1;
        assertThat(run.failing()).isEqualTo("interrupted");
        assertThat(run.reason()).isEqualTo(CANCELLED);
    }
}
