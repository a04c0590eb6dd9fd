package io.nopanic.lab.setup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A breaker as the lines that make it: of a file of properties, which {@link PolicyParser} reads back, and of Java. */
public final class WrittenPolicy {

    private final BreakerSpec spec;
    private final List<Setting> settings = new ArrayList<>();

    /**
     * One setting.
     *
     * @param name of the builder's method, and of the property
     * @param value of the property
     * @param arguments of the method
     */
    private record Setting(String name, String value, String arguments) {}

    private WrittenPolicy(BreakerSpec spec) {
        this.spec = spec;
        trip(spec.trip());
        spec.slowAfter().ifPresent(duration -> add("slowAfter", duration));
        if (spec.schedule() instanceof Schedule.Timed timed) {
            timed(timed);
        } else if (spec.schedule() instanceof Schedule.Quadratic quadratic) {
            quadratic(quadratic);
        }
        probing(spec.probing());
    }

    /** The lines of a file of properties. What an adaptive breaker does anyway is left out. */
    public static List<String> properties(BreakerSpec spec) {
        return new WrittenPolicy(spec)
                .settings.stream().map(each -> each.name + "=" + each.value).toList();
    }

    /** The lines of an expression that builds the breaker, under this name; those after the first are indented. */
    public static List<String> java(BreakerSpec spec, String name) {
        WrittenPolicy written = new WrittenPolicy(spec);
        List<String> lines = new ArrayList<>();
        lines.add(written.isAdaptive() ? "CircuitBreaker.adaptive()" : "CircuitBreaker.builder()");
        lines.add("        .name(\"" + name + "\")");
        written.settings.forEach(each -> lines.add("        ." + each.name + "(" + each.arguments + ")"));
        lines.add("        .build()");
        return List.copyOf(lines);
    }

    /** An expression for a duration. */
    public static String java(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos % 1_000_000_000L == 0) {
            return "Duration.ofSeconds(" + duration.toSeconds() + ")";
        }
        return nanos % 1_000_000L == 0
                ? "Duration.ofMillis(" + duration.toMillis() + ")"
                : "Duration.ofNanos(" + nanos + ")";
    }

    private boolean isAdaptive() {
        return spec.trip() instanceof Trip.Evidence;
    }

    // ---------------- the parts

    private void trip(Trip trip) {
        if (trip instanceof Trip.Evidence evidence) {
            add("failureCost", evidence.failureCost());
            evidence.slowCost().ifPresent(value -> add("slowCost", value));
            evidence.evidenceThreshold().ifPresent(value -> add("evidenceThreshold", value));
            evidence.meanTimeToFalseTrip().ifPresent(value -> add("meanTimeToFalseTrip", value));
            evidence.expectedRate().ifPresent(value -> add("expectedRate", value));
            evidence.slowAfterLearned().ifPresent(value -> add("slowAfterLearned", value));
        } else if (trip instanceof Trip.Consecutive consecutive) {
            add("consecutiveFailures", consecutive.failures());
        } else if (trip instanceof Trip.Either either) {
            trip(either.rates());
            trip(either.consecutive());
        } else if (trip instanceof Trip.Rates rates) {
            rates(rates);
        }
    }

    private void rates(Trip.Rates rates) {
        if (rates.window() instanceof Trip.Window.Calls calls) {
            add("countWindow", calls.count());
        } else if (rates.window() instanceof Trip.Window.Lasting lasting) {
            add("timeWindow", lasting.length());
        }
        add("minimumCalls", rates.minimumCalls());
        add("failureRate", rates.failureRate());
        rates.slowCallRate().ifPresent(value -> add("slowCallRate", value));
        rates.failedOrSlowRate().ifPresent(value -> add("failedOrSlowRate", value));
    }

    private void timed(Schedule.Timed timed) {
        add("openFor", timed.openFor());
        timed.cap()
                .ifPresent(cap -> add(
                        "openGrowth",
                        Plain.number(timed.growth()) + "/" + Durations.text(cap),
                        Plain.number(timed.growth()) + ", " + java(cap)));
        if (timed.jitter() != 0 || isAdaptive()) {
            add("openJitter", timed.jitter());
        }
    }

    private void quadratic(Schedule.Quadratic quadratic) {
        quadratic
                .bounds()
                .ifPresentOrElse(
                        bounds -> add(
                                "quadraticProbing",
                                Plain.number(bounds.kappa()) + "/" + Durations.text(bounds.least()) + "/"
                                        + Durations.text(bounds.most()),
                                Plain.number(bounds.kappa()) + ", " + java(bounds.least()) + ", "
                                        + java(bounds.most())),
                        () -> {
                            if (!isAdaptive()) {
                                add("quadraticProbing", "true", "");
                            }
                        });
        if (quadratic.jitter() != (isAdaptive() ? Settings.ADAPTIVE_JITTER : 0)) {
            add("openJitter", quadratic.jitter());
        }
    }

    private void probing(Probing probing) {
        boolean byDefault = spec.trip() instanceof Trip.Evidence evidence
                && probing.firstAlone()
                && probing.probes() == Settings.adaptiveProbes(evidence.failureCost());
        if (!byDefault) {
            add(probing.firstAlone() ? "closeAfter" : "probes", probing.probes());
        }
        probing.failureRate().ifPresent(value -> add("probeFailureRate", value));
        probing.timeout().ifPresent(value -> add("probeTimeout", value));
    }

    // ---------------- values

    private void add(String name, String value, String arguments) {
        settings.add(new Setting(name, value, arguments));
    }

    private void add(String name, double value) {
        add(name, Plain.number(value), Plain.number(value));
    }

    private void add(String name, int value) {
        String text = String.format(Locale.ROOT, "%d", value);
        add(name, text, text);
    }

    private void add(String name, Duration value) {
        add(name, Durations.text(value), java(value));
    }
}
