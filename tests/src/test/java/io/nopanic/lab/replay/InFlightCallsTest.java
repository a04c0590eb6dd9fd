package io.nopanic.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InFlightCallsTest {

    private record Call(long endNanos, long permit) {}

    @Test
    void callsEndInOrderAndThoseThatEndTogetherInTheOrderInWhichTheyCame() {
        InFlightCalls inFlight = new InFlightCalls();
        SplittableRandom random = new SplittableRandom(3);
        List<Call> expected = new ArrayList<>();
        List<Call> ended = new ArrayList<>();
        for (int permit = 0; permit < 10_000; permit++) {
            Call call = new Call(permit + random.nextInt(500), permit);
            expected.add(call);
            inFlight.add(
                    permit, call.endNanos(), permit, permit % 7, permit % 2 == 0 ? Ending.SUCCESS : Ending.FAILURE);
            while (inFlight.nextEndNanos() <= permit) {
                take(inFlight, ended);
            }
        }
        while (!inFlight.isEmpty()) {
            take(inFlight, ended);
        }
        expected.sort(Comparator.comparingLong(Call::endNanos).thenComparingLong(Call::permit));
        assertThat(ended).isEqualTo(expected);
        assertThat(inFlight.nextEndNanos()).isEqualTo(Long.MAX_VALUE);
    }

    private static void take(InFlightCalls inFlight, List<Call> ended) {
        long permit = inFlight.nextPermit();
        assertThat(inFlight.nextStartNanos()).isEqualTo(permit);
        assertThat(inFlight.nextKey()).isEqualTo((int) (permit % 7));
        assertThat(inFlight.nextEnding()).isEqualTo(permit % 2 == 0 ? Ending.SUCCESS : Ending.FAILURE);
        ended.add(new Call(inFlight.nextEndNanos(), permit));
        inFlight.remove();
    }
}
