package io.nopanic.lab.traffic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Nearest;
import io.nopanic.lab.setup.Shares;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object, and which of them have been asked for. Complaints say where in the file they are about. Not thread-safe. */
final class JsonFields {

    private static final int MAX_DEPTH = 8;

    private final String path;
    private final Map<String, Object> values;
    private final Set<String> known = new LinkedHashSet<>();

    private JsonFields(String path, Map<String, Object> values) {
        this.path = path;
        this.values = values;
    }

    /** Reads one object and nothing after it. */
    static JsonFields read(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException("the file has to hold one JSON object");
        }
        JsonFields fields = object(json, "", 0);
        if (json.nextToken() != null) {
            throw new IllegalArgumentException("there is more after the end of the object");
        }
        return fields;
    }

    private static JsonFields object(JsonParser json, String path, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException(path + " is nested too deep");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            values.put(name, value(json, path + name, depth));
        }
        return new JsonFields(path, values);
    }

    private static Object value(JsonParser json, String path, int depth) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json, path + ".", depth + 1);
            case START_ARRAY -> array(json, path, depth + 1);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDecimalValue();
            case VALUE_STRING -> json.getText();
            default ->
                throw new IllegalArgumentException(path + " is " + json.getText() + ", which means nothing here");
        };
    }

    private static List<Object> array(JsonParser json, String path, int depth) throws IOException {
        List<Object> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(json, path + "[" + values.size() + "]", depth));
        }
        return values;
    }

    // ---------------- fields

    private @Nullable Object value(String name) {
        known.add(name);
        return values.get(name);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(value(name)).map(String::valueOf);
    }

    Optional<Double> number(String name) {
        return text(name).map(text -> parsed(name, text, Double::valueOf, "a number"));
    }

    Optional<Long> whole(String name) {
        return text(name).map(text -> parsed(name, text, Long::valueOf, "a whole number"));
    }

    private <T> T parsed(String name, String text, Function<String, T> parser, String allowed) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw refused(name, text, allowed);
        }
    }

    Optional<Double> share(String name) {
        return text(name).map(text -> Shares.parse(path + name, text));
    }

    Optional<Duration> duration(String name) {
        return text(name).map(text -> Durations.parse(path + name, text));
    }

    <E extends Enum<E>> Optional<E> oneOf(String name, E[] all) {
        return text(name)
                .map(text -> Arrays.stream(all)
                        .filter(each -> each.toString().equals(text))
                        .findFirst()
                        .orElseThrow(() -> {
                            List<String> names =
                                    Arrays.stream(all).map(Enum::toString).toList();
                            return refused(
                                    name, text, "one of " + String.join(", ", names) + Nearest.hint(text, names));
                        }));
    }

    Optional<JsonFields> object(String name) {
        Object value = value(name);
        if (value == null || value instanceof JsonFields) {
            return Optional.ofNullable((JsonFields) value);
        }
        throw refused(name, value, "an object");
    }

    List<JsonFields> objects(String name) {
        Object value = value(name);
        if (value == null) {
            return List.of();
        }
        List<JsonFields> objects = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.stream()
                    .filter(JsonFields.class::isInstance)
                    .map(JsonFields.class::cast)
                    .forEach(objects::add);
            if (objects.size() == list.size()) {
                return objects;
            }
        }
        throw refused(name, value, "an array of objects");
    }

    /** Complains of fields that nobody has asked for. */
    void refuseOthers() {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(path + name + " is not known" + Nearest.hint(name, known)
                        + "; allowed are " + String.join(", ", known));
            }
        }
    }

    /** Puts the place in front of a complaint. */
    <T> T inContext(Supplier<T> making) {
        if (path.isEmpty()) {
            return making.get();
        }
        try {
            return making.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith(path) ? e : new IllegalArgumentException(path + message, e);
        }
    }

    IllegalArgumentException missing(String name, String allowed) {
        return new IllegalArgumentException(path + name + " is missing, allowed is " + allowed);
    }

    private IllegalArgumentException refused(String name, Object value, String allowed) {
        return new IllegalArgumentException(path + name + " is '" + value + "', allowed is " + allowed);
    }
}
