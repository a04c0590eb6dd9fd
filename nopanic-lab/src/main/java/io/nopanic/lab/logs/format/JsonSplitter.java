package io.nopanic.lab.logs.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes a line as an object of JSON, and those of its members that have a place. What is nested in members is passed over. */
final class JsonSplitter implements Splitter {

    private static final Verdict NO_JSON = Verdict.unparsable("no JSON");
    private static final Verdict NO_OBJECT = Verdict.unparsable("no object of JSON");
    private static final Verdict MORE = Verdict.unparsable("more text after the object of JSON");

    private final JsonFactory factory = new JsonFactory();
    private final Map<String, Integer> places;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private char[] characters = new char[1024];

    /**
     * @param places the place of each member
     */
    JsonSplitter(Map<String, Integer> places) {
        this.places = Map.copyOf(places);
    }

    @Override
    public boolean knows(int field) {
        return places.containsValue(field);
    }

    @Override
    public @Nullable Verdict split(byte[] bytes, int from, int to, Fields into) {
        if (Ascii.isBlank(bytes, from, to)) {
            return Verdict.NOTHING;
        }
        int length = decode(bytes, from, to);
        try (JsonParser parser = factory.createParser(characters, 0, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return NO_OBJECT;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                Integer place = places.get(parser.currentName());
                JsonToken value = parser.nextToken();
                if (value.isStructStart()) {
                    parser.skipChildren();
                } else if (place != null && value != JsonToken.VALUE_NULL) {
                    byte[] text = parser.getText().getBytes(StandardCharsets.UTF_8);
                    into.set(place, text, 0, text.length);
                }
            }
            return parser.nextToken() == null ? null : MORE;
        } catch (JsonProcessingException e) {
            return NO_JSON;
        } catch (IOException e) {
            // There is nothing to read from but memory.
            throw new UncheckedIOException(e);
        }
    }

    private int decode(byte[] bytes, int from, int to) {
        if (characters.length < to - from) {
            characters = new char[Math.max(to - from, characters.length * 2)];
        }
        CharBuffer decoded = CharBuffer.wrap(characters);
        decoder.reset();
        decoder.decode(ByteBuffer.wrap(bytes, from, to - from), decoded, true);
        decoder.flush(decoded);
        return decoded.position();
    }
}
