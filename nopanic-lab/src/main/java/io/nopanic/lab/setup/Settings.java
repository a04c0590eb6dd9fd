package io.nopanic.lab.setup;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Settings by the names of the builder's methods, as text. With a {@code failureCost} what is not set is as
 * {@link io.nopanic.breaker.CircuitBreaker#adaptive()} has it, else as the builder does. Complaints name the setting, what it is, and what is allowed.
 *
 * @param values the settings that are given
 */
record Settings(Map<String, String> values) {

    private static final Set<String> OF_RATES =
            Set.of("timeWindow", "countWindow", "minimumCalls", "failureRate", "slowCallRate", "failedOrSlowRate");
    private static final Set<String> OF_EVIDENCE =
            Set.of("failureCost", "slowCost", "evidenceThreshold", "meanTimeToFalseTrip", "slowAfterLearned");
    private static final Set<String> OF_TIMED = Set.of("openFor", "openGrowth");
    private static final Set<String> OTHERS = Set.of(
            "slowAfter",
            "expectedRate",
            "expectedFailureRate",
            "consecutiveFailures",
            "quadraticProbing",
            "openJitter",
            "probes",
            "closeAfter",
            "probeFailureRate",
            "probeTimeout");

    /** All names. */
    static final List<String> KNOWN = Stream.of(OF_RATES, OF_EVIDENCE, OF_TIMED, OTHERS)
            .flatMap(Set::stream)
            .sorted()
            .toList();

    private static final Duration DEFAULT_WINDOW = Duration.ofSeconds(30);
    private static final Duration DEFAULT_OPEN = Duration.ofSeconds(30);
    private static final int DEFAULT_MINIMUM_CALLS = 5;
    private static final double DEFAULT_FAILURE_RATE = 0.5;
    static final double ADAPTIVE_JITTER = 0.2;
    private static final int MOST_ADAPTIVE_PROBES = 5;

    /** The settings as a breaker, checked by the builder of the breaker itself. */
    BreakerSpec toSpec(String name, List<String> notes) {
        values.keySet().forEach(Settings::checkKnown);
        Trip trip = trip();
        BreakerSpec spec = new BreakerSpec(name, trip, schedule(trip), probing(trip), duration("slowAfter"), notes);
        return spec.withNotes(spec.warnings(number("expectedRate"), number("expectedFailureRate")));
    }

    private static void checkKnown(String key) {
        if (key.equals("retryAfterCap")) {
            throw new IllegalArgumentException(
                    "retryAfterCap means nothing here, because recorded calls do not say when to come back; leave it out");
        }
        if (!KNOWN.contains(key)) {
            throw new IllegalArgumentException("'" + key + "' is not a setting" + Nearest.hint(key, KNOWN)
                    + "; there are " + String.join(", ", KNOWN));
        }
    }

    private Trip trip() {
        boolean rates = hasAny(OF_RATES);
        boolean consecutive = values.containsKey("consecutiveFailures");
        if (hasAny(OF_EVIDENCE)) {
            if (!values.containsKey("failureCost")) {
                throw new IllegalArgumentException("failureCost is not set, and without it none of "
                        + String.join(", ", OF_EVIDENCE.stream().sorted().toList()) + " means anything");
            }
            exclude(OF_EVIDENCE, OF_RATES);
            exclude(OF_EVIDENCE, Set.of("consecutiveFailures"));
            exclude(Set.of("slowAfterLearned"), Set.of("slowAfter"));
            return new Trip.Evidence(
                    number("failureCost").orElse(1),
                    number("slowCost"),
                    number("evidenceThreshold"),
                    duration("meanTimeToFalseTrip"),
                    number("expectedRate"),
                    duration("slowAfterLearned"));
        }
        if (!consecutive) {
            return rates();
        }
        Trip.Consecutive run = new Trip.Consecutive(whole("consecutiveFailures").orElseThrow());
        if (!rates && values.containsKey("slowAfter")) {
            throw new IllegalArgumentException(
                    "slowAfter is '" + values.get("slowAfter")
                            + "', but failures in a row alone do not count slow calls; set failedOrSlowRate or slowCallRate too");
        }
        return rates ? new Trip.Either(rates(), run) : run;
    }

    private Trip.Rates rates() {
        exclude(Set.of("timeWindow"), Set.of("countWindow"));
        OptionalInt calls = whole("countWindow");
        Trip.Window window = calls.isPresent()
                ? new Trip.Window.Calls(calls.getAsInt())
                : new Trip.Window.Lasting(duration("timeWindow").orElse(DEFAULT_WINDOW));
        int minimum =
                whole("minimumCalls").orElse(Math.min(DEFAULT_MINIMUM_CALLS, calls.orElse(DEFAULT_MINIMUM_CALLS)));
        return new Trip.Rates(
                window,
                minimum,
                share("failureRate").orElse(DEFAULT_FAILURE_RATE),
                share("slowCallRate"),
                share("failedOrSlowRate"));
    }

    private Schedule schedule(Trip trip) {
        OptionalDouble jitter = share("openJitter");
        if (values.containsKey("quadraticProbing")) {
            exclude(Set.of("quadraticProbing"), OF_TIMED);
            return new Schedule.Quadratic(bounds(), jitter.orElse(trip instanceof Trip.Evidence ? ADAPTIVE_JITTER : 0));
        }
        if (trip instanceof Trip.Evidence && !hasAny(OF_TIMED)) {
            return new Schedule.Quadratic(Optional.empty(), jitter.orElse(ADAPTIVE_JITTER));
        }
        Duration openFor = duration("openFor").orElse(DEFAULT_OPEN);
        String growth = values.get("openGrowth");
        if (growth == null) {
            return new Schedule.Timed(openFor, 1, Optional.empty(), jitter.orElse(0));
        }
        String[] parts = parts("openGrowth", growth, 2, "a factor and a cap, such as 2/30s");
        return new Schedule.Timed(
                openFor,
                number("openGrowth", parts[0]),
                Optional.of(Durations.parse("openGrowth", parts[1])),
                jitter.orElse(0));
    }

    private Optional<Schedule.Bounds> bounds() {
        String text = values.getOrDefault("quadraticProbing", "");
        if (text.equals("true")) {
            return Optional.empty();
        }
        String[] parts = parts("quadraticProbing", text, 3, "true, or kappa and two durations, such as 2/100ms/30s");
        return Optional.of(new Schedule.Bounds(
                number("quadraticProbing", parts[0]),
                Durations.parse("quadraticProbing", parts[1]),
                Durations.parse("quadraticProbing", parts[2])));
    }

    private Probing probing(Trip trip) {
        exclude(Set.of("probes"), Set.of("closeAfter"));
        boolean adaptive = trip instanceof Trip.Evidence && !values.containsKey("probes");
        int byDefault = trip instanceof Trip.Evidence evidence ? adaptiveProbes(evidence.failureCost()) : 1;
        return new Probing(
                whole("probes").orElse(whole("closeAfter").orElse(byDefault)),
                adaptive || values.containsKey("closeAfter"),
                share("probeFailureRate"),
                duration("probeTimeout"));
    }

    /** {@code 1 + 2 log10(10 c)}, rounded, as the builder has it. */
    static int adaptiveProbes(double cost) {
        long probes = Math.round(1 + 2 * Math.log10(10 * cost));
        return (int) Math.min(MOST_ADAPTIVE_PROBES, Math.max(1, probes));
    }

    // ---------------- values

    private boolean hasAny(Set<String> keys) {
        return keys.stream().anyMatch(values::containsKey);
    }

    /** One or the other, but not both. */
    private void exclude(Set<String> these, Set<String> those) {
        these.stream()
                .filter(values::containsKey)
                .sorted()
                .findFirst()
                .ifPresent(one -> those.stream()
                        .filter(values::containsKey)
                        .sorted()
                        .findFirst()
                        .ifPresent(other -> {
                            throw new IllegalArgumentException(one + " is '" + values.get(one) + "' and " + other
                                    + " is '" + values.get(other) + "'; only one of the two can be set");
                        }));
    }

    private OptionalInt whole(String key) {
        String text = values.get(key);
        if (text == null) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            throw refused(key, text, "a whole number");
        }
    }

    private OptionalDouble number(String key) {
        String text = values.get(key);
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(number(key, text));
    }

    private static double number(String key, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw refused(key, text, "a number");
        }
    }

    private OptionalDouble share(String key) {
        String text = values.get(key);
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(Shares.parse(key, text));
    }

    private Optional<Duration> duration(String key) {
        return Optional.ofNullable(values.get(key)).map(text -> Durations.parse(key, text));
    }

    private static String[] parts(String key, String text, int count, String allowed) {
        String[] parts = text.split("/", -1);
        if (parts.length != count) {
            throw refused(key, text, allowed);
        }
        return parts;
    }

    static IllegalArgumentException refused(String key, String text, String allowed) {
        return new IllegalArgumentException(key + " is '" + text + "', allowed is " + allowed);
    }

    /** These settings, and more that are not there yet. */
    Settings and(Map<String, String> more) {
        Map<String, String> both = new LinkedHashMap<>(values);
        more.forEach((key, value) -> {
            if (both.putIfAbsent(key, value) != null) {
                throw new IllegalArgumentException(
                        key + " is given twice: '" + both.get(key) + "' and '" + value + "'");
            }
        });
        return new Settings(both);
    }
}
