package io.nopanic.lab.logs.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Where a program puts the spans in its documents, and how it writes one. */
enum SpanDialect {
    /** OpenTelemetry's protocol, as JSON. */
    OTLP {
        @Override
        void member(String name, JsonParser parser, Span span) throws IOException {
            switch (name) {
                case "traceId", "trace_id" -> span.ofTrace();
                case "startTimeUnixNano", "start_time_unix_nano" -> span.startsAt(number(parser, 1));
                case "endTimeUnixNano", "end_time_unix_nano" -> span.endsAt(number(parser, 1));
                case "kind" -> span.kind(parser.getText());
                case "traceState", "trace_state" -> span.traceState(parser.getText());
                case "status" -> status(parser, span);
                case "attributes" -> tags(parser, span::attribute);
                default -> parser.skipChildren();
            }
        }

        @Override
        void outside(JsonToken token, JsonParser parser, Span span) throws IOException {
            if (isMember(token, parser, "resource")) {
                resource(parser, span);
            } else if (endsIn(token, parser, "resourceSpans") || endsIn(token, parser, "resource_spans")) {
                span.allCalledFrom("");
            }
        }
    },
    /** Jaeger's answers to queries. */
    JAEGER {
        @Override
        void member(String name, JsonParser parser, Span span) throws IOException {
            switch (name) {
                case "traceID" -> span.ofTrace();
                case "startTime" -> span.startsAt(number(parser, MICROS));
                case "duration" -> span.lasts(number(parser, MICROS));
                case "processID" -> span.process(parser.getText());
                case "tags" -> tags(parser, span::attribute);
                default -> parser.skipChildren();
            }
        }

        @Override
        void outside(JsonToken token, JsonParser parser, Span span) throws IOException {
            if (isMember(token, parser, "processes")) {
                processes(parser, span);
            } else if (endsIn(token, parser, "data")) {
                span.endOfTrace();
            }
        }
    },
    /** Zipkin, version 2. */
    ZIPKIN {
        @Override
        boolean isSpan(JsonStreamContext context) {
            JsonStreamContext around = context.getParent();
            while (around != null && around.inArray()) {
                around = around.getParent();
            }
            return around == null || around.inRoot();
        }

        @Override
        void member(String name, JsonParser parser, Span span) throws IOException {
            switch (name) {
                case "traceId" -> span.ofTrace();
                case "timestamp" -> span.startsAt(number(parser, MICROS));
                case "duration" -> span.lasts(number(parser, MICROS));
                case "kind" -> span.kind(parser.getText());
                case "remoteEndpoint" -> endpoint(parser, span);
                case "localEndpoint" -> service(parser, span::calledFrom);
                case "tags" -> tagsByName(parser, span);
                default -> parser.skipChildren();
            }
        }
    };

    private static final int MICROS = 1000;

    /** Whether an object that has just begun is a span. */
    boolean isSpan(JsonStreamContext context) {
        JsonStreamContext list = context.getParent();
        return list != null
                && list.inArray()
                && list.getParent() != null
                && "spans".equals(list.getParent().getCurrentName());
    }

    /** Takes a member of a span; the parser is at the first token of its value, and has to be left at the last. */
    abstract void member(String name, JsonParser parser, Span span) throws IOException;

    /** Takes a token that is outside of spans; if that is the name of a member, the parser may be left at the last token of its value. */
    void outside(JsonToken token, JsonParser parser, Span span) throws IOException {}

    /** Goes to the value of a member, if this is its name. */
    private static boolean isMember(JsonToken token, JsonParser parser, String name) throws IOException {
        if (token != JsonToken.FIELD_NAME || !parser.currentName().equals(name)) {
            return false;
        }
        parser.nextToken();
        return true;
    }

    /** Whether an object ends that is in the list of this name. */
    private static boolean endsIn(JsonToken token, JsonParser parser, String list) {
        JsonStreamContext context = parser.getParsingContext();
        return token == JsonToken.END_OBJECT
                && context.inArray()
                && list.equals(context.getParent().getCurrentName());
    }

    /** Takes one member of an object; the parser is at the first token of its value. */
    private interface Member {
        void take(String name) throws IOException;
    }

    /** Goes through the members of an object; what is none, and what is not taken, is left out. */
    private static void members(JsonParser parser, Member member) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            member.take(name);
            parser.skipChildren();
        }
    }

    private static void resource(JsonParser parser, Span span) throws IOException {
        members(parser, name -> {
            if (name.equals("attributes")) {
                tags(parser, (key, value) -> {
                    if (key.equals("service.name")) {
                        span.allCalledFrom(value);
                    }
                });
            }
        });
    }

    private static void processes(JsonParser parser, Span span) throws IOException {
        members(parser, id -> service(parser, name -> span.process(id, name)));
    }

    private static void service(JsonParser parser, Consumer<String> service) throws IOException {
        members(parser, name -> {
            if (name.equals("serviceName") && parser.currentToken() == JsonToken.VALUE_STRING) {
                service.accept(parser.getText());
            }
        });
    }

    /** A whole number, also one in quotes, times a unit; {@link Ascii#NOT_A_NUMBER} if it is none. */
    private static long number(JsonParser parser, int unit) throws IOException {
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return Ascii.NOT_A_NUMBER;
        }
        byte[] text = Ascii.bytes(parser.getText());
        long number = Ascii.scaled(text, 0, text.length, 0);
        return number < 0 || number > Long.MAX_VALUE / unit ? Ascii.NOT_A_NUMBER : number * unit;
    }

    private static void status(JsonParser parser, Span span) throws IOException {
        members(parser, name -> {
            if (name.equals("code")
                    && (parser.getText().equals("2") || parser.getText().equals("STATUS_CODE_ERROR"))) {
                span.failed();
            }
        });
    }

    private static void endpoint(JsonParser parser, Span span) throws IOException {
        members(parser, name -> {
            switch (name) {
                case "serviceName" -> span.peer(parser.getText());
                case "ipv4", "ipv6" -> span.address(parser.getText());
                default -> {}
            }
        });
    }

    private static void tagsByName(JsonParser parser, Span span) throws IOException {
        members(parser, name -> {
            if (parser.currentToken().isScalarValue()) {
                span.attribute(name, parser.getText());
            }
        });
    }

    /** A list of objects with a key and a value, which OTLP puts into an object that says its type. */
    private static void tags(JsonParser parser, BiConsumer<String, String> attribute) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                tag(parser, attribute);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void tag(JsonParser parser, BiConsumer<String, String> attribute) throws IOException {
        String key = "";
        String value = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (name.equals("key")) {
                key = parser.getText();
            } else if (name.equals("value")) {
                value = token == JsonToken.START_OBJECT ? firstScalar(parser) : parser.getText();
            }
            parser.skipChildren();
        }
        attribute.accept(key, value);
    }

    private static String firstScalar(JsonParser parser) throws IOException {
        String found = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (parser.nextToken().isScalarValue()) {
                found = parser.getText();
            }
            parser.skipChildren();
        }
        return found;
    }
}
