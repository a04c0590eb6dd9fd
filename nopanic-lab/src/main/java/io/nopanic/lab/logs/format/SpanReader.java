package io.nopanic.lab.logs.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the spans of documents of JSON, one document or many in a row, without holding more than one span. Behind a place that is no JSON it
 * goes on with the next line that begins a document. Not thread-safe.
 */
public final class SpanReader {

    private static final Verdict NO_JSON = Verdict.unparsable("no JSON");
    private static final int PUSHED_BACK = 1 << 16;

    private final PushbackReader in;
    private final JsonFactory factory;
    private final SpanDialect dialect;
    private final Span span;
    private @Nullable JsonParser parser;
    private Verdict verdict = Verdict.NOTHING;
    private String example = "";
    private long brokenDocuments;

    SpanReader(SpanDialect dialect, InputStream in, int maxText, Reading reading) {
        this.dialect = dialect;
        this.in = new PushbackReader(new InputStreamReader(in, StandardCharsets.UTF_8), PUSHED_BACK);
        this.span = new Span(reading);
        reading.intake().sampling().ofTraces();
        this.factory = JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(maxText)
                        .maxNameLength(maxText)
                        .build())
                .build();
    }

    /**
     * Moves to the next span; {@code false} behind the last.
     *
     * @throws EOFException if the input ends within a document
     * @throws IOException if the input cannot be read, or a call cannot be handed on
     */
    public boolean next() throws IOException {
        try {
            return advance();
        } catch (JsonEOFException e) {
            span.endOfTrace();
            throw (EOFException) new EOFException("the document does not end").initCause(e);
        } catch (JsonProcessingException e) {
            span.endOfTrace();
            span.allCalledFrom("");
            example = e.getOriginalMessage();
            verdict = NO_JSON;
            brokenDocuments++;
            resume();
            return true;
        }
    }

    private boolean advance() throws IOException {
        JsonParser tokens = parser;
        if (tokens == null) {
            tokens = factory.createParser(in);
            parser = tokens;
        }
        for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
            if (token == JsonToken.START_OBJECT && dialect.isSpan(tokens.getParsingContext())) {
                read(tokens);
                return true;
            }
            dialect.outside(token, tokens, span);
        }
        span.endOfTrace();
        return false;
    }

    private void read(JsonParser tokens) throws IOException {
        span.begin();
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String name = tokens.currentName();
            if (tokens.nextToken() != JsonToken.VALUE_NULL) {
                dialect.member(name, tokens, span);
            }
            tokens.skipChildren();
        }
        verdict = span.end();
        example = "a span";
    }

    /** Goes to the next line that begins with a brace or a bracket. */
    private void resume() throws IOException {
        if (parser != null) {
            StringWriter unread = new StringWriter();
            parser.releaseBuffered(unread);
            in.unread(unread.toString().toCharArray());
            parser = null;
        }
        int last = 0;
        int next = in.read();
        while (next >= 0 && !(last == '\n' && (next == '{' || next == '['))) {
            last = next;
            next = in.read();
        }
        if (next >= 0) {
            in.unread(next);
        }
    }

    /** What the span turned out to be. */
    public Verdict verdict() {
        return verdict;
    }

    /** How many documents were no JSON from some place on, so that the spans behind that place are not known. */
    public long brokenDocuments() {
        return brokenDocuments;
    }

    /** Something to show of it. */
    public String example() {
        return example;
    }
}
