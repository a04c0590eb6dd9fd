package io.nopanic.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes one JSON object. */
public final class Json {

    private Json() {}

    /** Writes the members of an object. */
    @FunctionalInterface
    public interface Members {
        /** Writes them. */
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** Writes the object to the screen's output, indented. */
    public static void print(Screen screen, Members members) {
        try (JsonGenerator json = new JsonFactory().createGenerator(screen.out())) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            members.writeTo(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        screen.out().println();
    }
}
