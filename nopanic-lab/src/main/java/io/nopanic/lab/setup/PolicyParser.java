package io.nopanic.lab.setup;

import java.io.IOException;
import java.io.Reader;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * Reads a policy as a user writes it: the name of a preset, a form of one line, or the name of a file of properties whose keys are those of
 * {@link io.nopanic.breaker.CircuitBreakerBuilder}.
 */
public final class PolicyParser {

    private static final String NONE = "none";

    private PolicyParser() {}

    /** The names of all presets. */
    public static List<String> presets() {
        List<String> names = new ArrayList<>(List.of(NONE, "auto"));
        names.addAll(Preset.ALL.stream().map(Preset::name).toList());
        return List.copyOf(names);
    }

    /**
     * Reads a policy.
     *
     * @throws IllegalArgumentException if it cannot be read: what is wrong, and what is allowed
     * @throws IOException if it is a file that cannot be read
     */
    public static PolicySpec parse(String text) throws IOException {
        String name = text.strip();
        if (name.equals(NONE)) {
            return new NoBreaker(NONE);
        }
        for (Preset preset : Preset.ALL) {
            if (preset.name().equals(name)) {
                return preset.toSpec();
            }
        }
        if (OneLine.looksLike(name)) {
            return parseLine(name);
        }
        if (name.endsWith(".properties") || name.contains("/")) {
            Settings settings = read(Path.of(name));
            return inContext(name, () -> settings.toSpec(name, List.of()));
        }
        throw new IllegalArgumentException("policy '" + name + "' is none of "
                + String.join(", ", presets()) + Nearest.hint(name, presets()) + ", no form such as " + OneLine.FORMS
                + ", and no file of properties");
    }

    /**
     * Reads a form of one line, such as {@code auto:10} or {@code time:30s,50,10,15s;probes=3}.
     *
     * @throws IllegalArgumentException if it cannot be read: what is wrong, and what is allowed
     */
    public static BreakerSpec parseLine(String text) {
        String name = text.strip();
        return inContext("policy '" + name + "'", () -> OneLine.parse(name).toSpec(name, List.of()));
    }

    private static BreakerSpec inContext(String context, Supplier<BreakerSpec> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(context + ": " + e.getMessage(), e);
        }
    }

    private static Settings read(Path file) throws IOException {
        StrictProperties properties = new StrictProperties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        Map<String, String> values = new LinkedHashMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, Objects.requireNonNull(properties.getProperty(key))));
        return new Settings(values);
    }

    /** Properties that refuse a key that is there already, rather than forget one of the two. */
    private static final class StrictProperties extends Properties {

        @Serial
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // no other thread knows this
        public Object put(Object key, Object value) {
            Object before = super.put(key, value);
            if (before != null) {
                throw new IllegalArgumentException(key + " is given twice: '" + before + "' and '" + value + "'");
            }
            return value;
        }
    }
}
