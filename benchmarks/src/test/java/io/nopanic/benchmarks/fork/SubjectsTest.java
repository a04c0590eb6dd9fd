package io.nopanic.benchmarks.fork;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Refusals;
import io.nopanic.benchmarks.contestants.Work;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A measurement in which calls are refused that should be let in fails. */
class SubjectsTest {

    private static final String GRANTED = "limiter/Bucket4j";

    private final Benchmarks benchmarks = new Benchmarks();

    @Test
    void callsThatAreLetInPass() {
        assertThatCode(calls(GRANTED)::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"breaker-open/Failsafe", "breaker-open/Failsafe, by permits", "limiter-empty/Bucket4j"})
    void refusalsPassWhereTheyAreWanted(String key) {
        assertThatCode(calls(key)::check).doesNotThrowAnyException();
    }

    /** Each of these is refused, by an exception or a result; measured as one that grants, it must not pass. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "breaker-open/nopanic",
                "breaker-open/nopanic, as a framework",
                "breaker-open/Resilience4j, by permission",
                "breaker-open/Failsafe, by permits",
                "limiter-empty/nopanic",
                "limiter-empty/Guava",
                "limiter-empty/Failsafe, by permits",
                "limiter-empty/Bucket4j",
                "bulkhead-full/Failsafe, by permits",
                "bulkhead-full/Resilience4j, by permission",
                "bulkhead-full/concurrency-limits, fixed"
            })
    void refusalsFailWhereNothingMayBeRefused(String key) {
        Subjects.ForCalls calls = calls(key);
        calls.contestant = GRANTED;
        assertThatIllegalStateException().isThrownBy(calls::check).withMessageContaining("refused");
    }

    @Test
    void whatASetUpWasRefusedDoesNotCount() {
        var unused = Refusals.note();
        assertThatCode(calls(GRANTED)::check).doesNotThrowAnyException();
    }

    @Test
    void failuresAreNoRefusals() {
        Subjects.ForCalls calls = calls("breaker-failing/nopanic");
        Guard failing = body -> {
            throw Work.FAILURE;
        };
        calls.guard = failing;
        call(calls);
        assertThatCode(calls::check).doesNotThrowAnyException();
    }

    @Test
    void aRefusedRecordFails() throws Exception {
        Subjects.ForRecords records = new Subjects.ForRecords();
        records.contestant = "breaker-by-hand/nopanic";
        records.make();
        Subjects.Outcomes outcomes = new Subjects.Outcomes();
        outcomes.make();
        for (boolean let : List.of(true, false)) {
            records.recorder = failed -> let;
            benchmarks.byHand(records, outcomes);
            if (let) {
                records.check();
            }
        }
        assertThatIllegalStateException().isThrownBy(records::check);
    }

    private Subjects.ForCalls calls(String key) {
        Subjects.ForCalls calls = new Subjects.ForCalls();
        calls.contestant = key;
        calls.make();
        call(calls);
        return calls;
    }

    private void call(Subjects.ForCalls calls) {
        Subjects.Body body = new Subjects.Body();
        body.make(calls);
        var unused = benchmarks.call(calls, body);
    }
}
