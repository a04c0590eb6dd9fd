package io.nopanic.lab.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicyParser;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutageTallyTest {

    private static Trials.Outage outages(String policy, double callsPerSecond, double seconds) throws IOException {
        BreakerSpec spec = (BreakerSpec) PolicyParser.parse(policy);
        SplittableRandom seeds = new SplittableRandom(1);
        OutageTally tally = new OutageTally(1, 0, seconds);
        for (int run = 0; run < 2000; run++) {
            tally.add(new VirtualBreaker(spec, callsPerSecond, seeds.split()), 1000);
        }
        return tally.means();
    }

    @Test
    void onlyCallsWithinAnOutageFail() throws IOException {
        assertThat(outages("consecutive:1000,1s", 1, 3).failuresSent().mean()).isCloseTo(3, offset(0.15));
    }

    /** If there was a call in the outage it opened, and the first call after it, which comes 1 s later on average, closes it. */
    @Test
    void theFirstCallAfterAnOutageIsHealthyAndCountsAsAfterIt() throws IOException {
        Trials.Outage outage = outages("consecutive:1,1ms", 1, 1);

        assertThat(outage.opened().mean()).isCloseTo(1 - Math.exp(-1), offset(0.03));
        assertThat(outage.lateSeconds().mean()).isCloseTo(1 - Math.exp(-1), offset(0.06));
    }
}
