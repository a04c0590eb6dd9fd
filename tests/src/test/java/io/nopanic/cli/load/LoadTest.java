package io.nopanic.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.cli.options.Share;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadTest {

    private static final Progress NONE = Progress.none(Screen.plain(new StringWriter(), new StringWriter()));

    @ParameterizedTest
    @EnumSource
    void everyOutcomeIsCountedAndTheBreakerStaysClosed(PolicyKind policy) throws InterruptedException {
        Plan plan = new Plan(8, 3000, Share.parse("1/3"), policy);

        Load.Result result = Load.run(plan, NONE);

        assertThat(result.tally()).isEqualTo(new Tally(8 * 2000, 8 * 1000, 0));
        assertThat(result.breaker().state()).isEqualTo(CircuitState.CLOSED);
        assertThat(result.faults(plan)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theBreakerStaysClosedWhenAllThreadsFailAtOnceAndOpensWhenEverythingFails(PolicyKind policy) {
        Plan plan = new Plan(32, 1000, Share.parse("0.9"), policy);
        CircuitBreaker breaker = plan.breaker(VirtualTime.create().time());
        Pipeline pipeline = Pipeline.of(breaker);
        List<Dependency> dependencies = Stream.generate(() -> new Dependency(plan.failing()))
                .limit(plan.threads())
                .toList();

        for (int i = 0; i < plan.calls(); i++) {
            dependencies.forEach(dependency -> Caller.call(pipeline::call, dependency, 1, done -> {}));
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);

        Dependency down = new Dependency(Share.parse("1/1"));
        Tally tally = Caller.call(pipeline::call, down, plan.totalCalls() * 100, done -> {});
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(tally.shortCircuited()).isPositive();
    }

    @Test
    void saysWhatIsWrong() throws InterruptedException {
        Plan plan = new Plan(2, 300, Share.parse("1/3"), PolicyKind.TIME_WINDOW);
        Load.Result right = Load.run(plan, NONE);
        CircuitBreaker opened = plan.breaker(VirtualTime.create().time());
        opened.forceOpen();

        Load.Result lost = new Load.Result(right.nanos(), new Tally(399, 200, 0), right.breaker());
        Load.Result open = new Load.Result(right.nanos(), right.tally(), opened.snapshot());

        assertThat(lost.faults(plan)).singleElement().asString().contains("outcomes");
        assertThat(open.faults(plan)).hasSize(2).first().asString().contains("FORCED_OPEN");
    }

    @Test
    void theNaiveBreakerIsMeasuredAtGrowingSizesUntilItsTimeIsUp() {
        Plan plan = new Plan(1, 1000, Share.parse("1/3"), PolicyKind.TIME_WINDOW);

        assertThat(Growth.measure(plan, 0, NONE))
                .singleElement()
                .satisfies(step -> assertThat(step.calls()).isEqualTo(1000))
                .satisfies(step -> assertThat(step.naiveNanos()).isPositive())
                .satisfies(step -> assertThat(step.ourNanos()).isPositive());
        assertThat(Growth.measure(plan, Duration.ofMillis(50).toNanos(), NONE))
                .extracting(Growth.Step::calls)
                .startsWith(1000L)
                .isSorted();
    }
}
