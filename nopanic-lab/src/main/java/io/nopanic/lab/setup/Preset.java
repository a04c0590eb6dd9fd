package io.nopanic.lab.setup;

import java.util.List;

/**
 * A breaker as it is when nothing is set, in terms of ours.
 *
 * @param name whose
 * @param form its defaults in one line
 * @param notes where ours differs
 */
record Preset(String name, String form, List<String> notes) {

    static final List<Preset> ALL = List.of(
            of("nopanic", "time:30s,50,5,30s"),
            of(
                    "nopanic-py",
                    "time:30s,50,10,15s",
                    "the original evaluates its window at every call, ours drops a tenth of it at a time"),
            of(
                    "hystrix",
                    "time:10s,50,20,5s",
                    "Hystrix looks at its window every 500 ms, ours at every failure",
                    "Hystrix counts a call as failed after 1 s; a recorded call is what its record says"),
            of(
                    "r4j",
                    "count:100,50,100,60s;probes=10;probe-failure-rate=50%",
                    "Resilience4j judges its 10 probes when all are back, ours as soon as the verdict is certain",
                    "its rule for calls slower than 60 s is left out; it needs every call of the window to be that slow"),
            of("polly", "time:30s,10,100,5s"),
            of("failsafe", "consecutive:1,60s"),
            of("gobreaker", "consecutive:6,60s", "gobreaker opens at more than 5 failures in a row, which is 6"));

    private static Preset of(String name, String form, String... notes) {
        return new Preset(name, form, List.of(notes));
    }

    BreakerSpec toSpec() {
        return OneLine.parse(form).toSpec(name, notes);
    }
}
