package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.Logs.Call;
import io.nopanic.lab.logs.format.Classifier;
import io.nopanic.lab.logs.format.KeyBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnFormatsTest {

    private static final long MILLION = 1_000_000L;

    @Test
    void aLineOfJsonIsACall() throws LogException {
        Call call = Logs.read(
                        "{\"ts\": 1700000000.25, \"ms\": 12.5, \"ok\": true, \"key\": \"db\", \"attempt\": 2}",
                        LogOptions.standard().withBy(KeyBy.KEY))
                .only();
        assertThat(call).isEqualTo(new Call(1_700_000_000_250L * MILLION, 12_500_000, Ending.SUCCESS, "db", 2));
    }

    @Test
    void aLineOfCsvIsACall() throws LogException {
        Call call = Logs.read(
                        "ts,ms,status,key\n1700000000250,12.5,503,\"a \"\"b\"\", c\"\n",
                        LogOptions.standard().withBy(KeyBy.KEY))
                .only();
        assertThat(call).isEqualTo(new Call(1_700_000_000_250L * MILLION, 12_500_000, Ending.FAILURE, "a \"b\", c", 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1700000000.250",
                "1700000000250",
                "1700000000250000",
                "1700000000250000000",
                "1.70000000025e9",
                "2023-11-14T22:13:20.25Z",
                "2023-11-14 22:13:20.250",
                "2023-11-14T23:13:20.25+01:00",
                "2023-11-14T17:43:20.25-0430"
            })
    void timesAreTakenAsTheyCome(String time) throws LogException {
        assertThat(Logs.read("jsonl", "{\"ts\":\"" + time + "\",\"ok\":true}")
                        .only()
                        .startNanos())
                .isEqualTo(1_700_000_000_250L * MILLION);
    }

    @ParameterizedTest
    @CsvSource({"1.5s,1500000000", "20ms,20000000", "300us,300000", "40ns,40", "7 ms,7000000"})
    void durationsSayTheirUnit(String duration, long nanos) throws LogException {
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"ok\":true,\"duration\":\"" + duration + "\"}")
                        .only()
                        .durationNanos())
                .isEqualTo(nanos);
    }

    @Test
    void aDurationWithoutUnitIsUnparsable() throws LogException {
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"ok\":true,\"duration\":12}")
                        .report()
                        .unparsable())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "\"false\"", "0", "\"no\"", "\"None\"", "\"null\""})
    void anErrorThatIsNoneIsASuccess(String none) throws LogException {
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"error\":" + none + "}")
                        .only()
                        .ending())
                .isEqualTo(Ending.SUCCESS);
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"status\":503,\"error\":" + none + "}")
                        .only()
                        .ending())
                .isEqualTo(Ending.FAILURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\""})
    void anEmptyErrorIsNone(String none) throws LogException {
        assertThat(Logs.read("jsonl", "{\"ts\":1.5,\"status\":200,\"error\":" + none + "}")
                        .only()
                        .ending())
                .isEqualTo(Ending.SUCCESS);
    }

    @Test
    void aCallWithoutDurationIsCounted() throws LogException {
        var read = Logs.read("jsonl", "{\"ts\":1.5,\"ok\":true}");
        assertThat(read.only().durationNanos()).isEqualTo(CallCursor.UNKNOWN);
        assertThat(read.report().withoutDuration()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "java.net.SocketTimeoutException,TIMEOUT",
        "timed out,TIMEOUT",
        "java.io.IOException,FAILURE",
        "ConnectException,FAILURE",
        "java.util.concurrent.CancellationException,IGNORED",
        "IllegalArgumentException,IGNORED",
        "com.example.OddException,FAILURE"
    })
    void errorsAreClassifiedByTheirName(String error, Ending ending) throws LogException {
        LogOptions options = LogOptions.standard()
                .withClassifier(Classifier.of(
                        Classifier.DEFAULT_FAIL, Classifier.DEFAULT_IGNORE + ",IllegalArgumentException"));
        assertThat(Logs.read("{\"ts\":1.5,\"error\":\"" + error + "\"}", options)
                        .only()
                        .ending())
                .isEqualTo(ending);
    }

    @Test
    void aRefusalIsNoCallAndIsCountedByItsKind() throws LogException {
        var read = Logs.read("jsonl", "{\"ts\":1.5,\"ms\":0,\"rejected\":\"circuit open\"}");
        assertThat(read.calls()).isEmpty();
        assertThat(read.report().droppedByReason()).containsEntry("refused, never sent: circuit open", 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "\"no\"", "\"\"", "0", "null"})
    void aFieldThatSaysThatNobodyRefusedIsNoRefusal(String nobody) throws LogException {
        var read = Logs.read("jsonl", "{\"ts\":1.5,\"ms\":0,\"ok\":true,\"rejected\":" + nobody + "}");
        assertThat(read.only().ending()).isEqualTo(Ending.SUCCESS);
        assertThat(read.report().dropped()).isZero();
    }
}
