package io.nopanic.benchmarks.contestants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nobody is measured who does less than the others: everything that is measured makes the calls, and guards when it has to. */
class ContestantsTest {

    static Stream<String> all() {
        return Contestants.all().stream().map(Contestant::key);
    }

    static Stream<String> breakers() {
        return keys(
                Group.BREAKER,
                Group.BREAKER_SLOW,
                Group.BREAKER_FAILING,
                Group.PIPELINE_FAILING,
                Group.PIPELINE_LIMITED_FAILING);
    }

    static Stream<String> recorders() {
        return keys(Group.BREAKER_BY_HAND, Group.PIPELINE_BY_HAND);
    }

    static Stream<String> retries() {
        return keys(Group.RETRY, Group.RETRY_FAILING, Group.PIPELINE, Group.PIPELINE_LIMITED);
    }

    static Stream<String> full() {
        return keys(Group.PIPELINE_FULL);
    }

    static Stream<String> retriesThatGiveUp() {
        return keys(Group.PIPELINE_FAILING, Group.PIPELINE_LIMITED_FAILING);
    }

    static Stream<String> timeouts() {
        return keys(Group.TIMEOUT, Group.TIMEOUT_FAILING);
    }

    static Stream<String> fallbacks() {
        return keys(Group.FALLBACK, Group.FALLBACK_FAILING);
    }

    private static Stream<String> keys(Group... groups) {
        return Stream.of(groups)
                .flatMap(group -> Contestants.of(group).stream())
                .map(Contestant::key);
    }

    @Test
    void keysAreUnique() {
        assertThat(all().toList()).doesNotHaveDuplicates();
    }

    @Test
    void everyGroupHasOneOfOursAndAPeer() {
        for (Group group : Group.values()) {
            List<Contestant> found = Contestants.of(group);
            if (group != Group.FLOOR) {
                assertThat(found).as(group.key()).anyMatch(Contestant::isOurs).anyMatch(one -> !one.isOurs());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void callsEndAsTheGroupSays(String key) {
        assertThatCode(() -> Rehearsal.of(Contestants.named(key))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("breakers")
    void breakersOpenWhenCallsFail(String key) throws Exception {
        Guard guard = Contestants.named(key).guard();
        if (key.endsWith("Hystrix")) {
            return; // looks at its counters every half second only
        }
        int failed = 0;
        for (int i = 0; i < 10_000; i++) {
            try {
                guard.call(() -> {
                    throw Work.FAILURE;
                });
            } catch (Work.Failure failure) {
                failed++;
            } catch (Exception refused) {
                break;
            }
        }
        assertThat(failed).isBetween(50, 2000);
    }

    @ParameterizedTest
    @MethodSource("recorders")
    void breakersThatAreToldOpenToo(String key) throws Exception {
        Recorder recorder = (Recorder) Contestants.named(key).maker().get();
        int let = 0;
        while (let < 10_000 && recorder.record(true)) {
            let++;
        }
        assertThat(let).isBetween(50, 2000);
    }

    @ParameterizedTest
    @MethodSource("full")
    void fullPipelinesRefuseBecauseTheirBulkheadIsFull(String key) {
        Guard guard = Contestants.named(key).guard();
        String last = "";
        for (int i = 0; i < 3000; i++) {
            last = refusal(guard);
        }
        assertThat(last).contains("Bulkhead");
    }

    private static String refusal(Guard guard) {
        try {
            return "" + guard.call(() -> Work.ANSWER);
        } catch (Exception refusal) {
            return refusal.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @MethodSource("retries")
    void retriesTryAgain(String key) throws Exception {
        assertThat(Contestants.named(key).guard().call(failsOnce(Work.FAILURE))).isEqualTo(Work.ANSWER);
    }

    @ParameterizedTest
    @MethodSource("retriesThatGiveUp")
    void retriesGiveUpOnNothingElse(String key) throws Exception {
        Guard guard = Contestants.named(key).guard();
        assertThat(guard.call(failsOnce(new IllegalStateException("once")))).isEqualTo(Work.ANSWER);
        assertThatCode(() -> guard.call(failsOnce(Work.FAILURE))).isSameAs(Work.FAILURE);
    }

    private static Callable<Object> failsOnce(RuntimeException failure) {
        return new Callable<>() {
            private boolean called;

            @Override
            public Object call() {
                if (!called) {
                    called = true;
                    throw failure;
                }
                return Work.ANSWER;
            }
        };
    }

    @ParameterizedTest
    @MethodSource("timeouts")
    void timeoutsEndACallThatHangs(String key) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Guard guard = Contestants.named(key).guard();
        Callable<Object> hangs = () -> {
            never.await(10, TimeUnit.SECONDS);
            return Work.ANSWER;
        };
        assertThatCode(() -> guard.call(hangs)).isInstanceOf(Exception.class);
    }

    @ParameterizedTest
    @MethodSource("fallbacks")
    void fallbacksAnswer(String key) throws Exception {
        assertThat(Contestants.named(key).guard().call(() -> {
                    throw Work.FAILURE;
                }))
                .isEqualTo(Work.INSTEAD);
    }

    @Test
    void ofEveryThirdCallTheFirstAttemptFails() {
        Callable<Object> body = new Work.ThirdFailingOnce();
        StringBuilder attempts = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            attempts.append(fails(body) ? 'f' : 's');
        }
        assertThat(attempts.toString()).isEqualTo("ssfsssfs");
    }

    private static boolean fails(Callable<Object> body) {
        try {
            return body.call() != Work.ANSWER;
        } catch (Exception failure) {
            return true;
        }
    }

    @Test
    void everyThirdCallFails() {
        Work.Thirds thirds = new Work.Thirds();
        assertThat(Stream.generate(thirds::next).limit(7))
                .containsExactly(false, false, true, false, false, true, false);
    }
}
