package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Progress;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.logs.LogSources;
import io.nopanic.lab.logs.ReadCalls;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Mix;
import io.nopanic.lab.traffic.RecordedArrivals;
import io.nopanic.lab.traffic.Scenario;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is simulated.
 *
 * @param calls those of the scenario
 * @param comes how often they come, in words
 * @param recorded the log that says when; {@code null} if none does
 */
record SimulatedTraffic(
        Scenario scenario,
        CallLog calls,
        String comes,
        @Nullable ReadCalls recorded) implements AutoCloseable {

    static SimulatedTraffic of(Scenario scenario) {
        return new SimulatedTraffic(
                scenario,
                scenario.calls(),
                scenario.load().perSecond() + " calls per second ("
                        + scenario.load().arrivals() + ")",
                null);
    }

    /**
     * Calls that come when those of a log did.
     *
     * @throws IllegalArgumentException if they do not say how often calls come
     */
    static SimulatedTraffic at(String log, Mix mix, Latency latency, long seed, Progress progress) throws IOException {
        ReadCalls read = LogSources.open(List.of(log), LogArguments.told(progress));
        progress.clear();
        try {
            if (read.report().failing()) {
                throw new IllegalArgumentException(
                        "--arrivals is '" + log
                                + "', allowed is a log of which at most 1 % of the lines cannot be read; replay says which they are");
            }
            RecordedArrivals arrivals = new RecordedArrivals(read.log());
            Scenario scenario = mix.scenario(
                    new Scenario.Load(Arrivals.POISSON, arrivals.perSecond(), latency), arrivals.length(), seed);
            String comes = Plain.rounded(arrivals.perSecond()) + " calls per second (as in " + log + ")";
            return new SimulatedTraffic(scenario, arrivals.calls(scenario), comes, read);
        } catch (IllegalArgumentException e) {
            read.close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (recorded != null) {
            recorded.close();
        }
    }
}
