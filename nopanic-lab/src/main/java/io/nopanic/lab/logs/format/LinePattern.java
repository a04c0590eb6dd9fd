package io.nopanic.lab.logs.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a line looks like: variables with fixed text between them. A variable ends where the text behind it first comes up; within quotes, not
 * at a quote with a backslash in front of it. Immutable.
 */
final class LinePattern implements Splitter {

    private static final Verdict MORE = Verdict.unparsable("the line goes on where its format ends");

    private final List<Part> parts;

    private LinePattern(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public boolean knows(int field) {
        return parts.stream().anyMatch(part -> part.field == field);
    }

    @Override
    public @Nullable Verdict split(byte[] bytes, int from, int to, Fields into) {
        if (Ascii.isBlank(bytes, from, to)) {
            return Verdict.NOTHING;
        }
        int at = from;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (!part.isVariable()) {
                if (!Ascii.startsWith(bytes, at, to, part.text)) {
                    return part.mismatch;
                }
                at += part.text.length;
                continue;
            }
            Part next = i + 1 < parts.size() ? parts.get(i + 1) : null;
            int end = next == null ? to : part.end(bytes, at, to, next.text);
            if (end < 0) {
                return next == null ? MORE : next.mismatch;
            }
            if (part.field >= 0) {
                into.set(part.field, bytes, at, end);
            }
            at = end;
        }
        return at == to ? null : MORE;
    }

    /** Fixed text or a variable. */
    private static final class Part {

        private final byte[] text;
        private final Verdict mismatch;
        private final int field;
        private final Shape shape;

        Part(byte[] text, Verdict mismatch, int field, Shape shape) {
            this.text = text;
            this.mismatch = mismatch;
            this.field = field;
            this.shape = shape;
        }

        boolean isVariable() {
            return shape != Shape.TEXT;
        }

        /** Where a variable ends that begins at {@code from}; -1 if the text behind it does not come. */
        int end(byte[] bytes, int from, int to, byte[] behind) {
            byte first = behind[0];
            // The time of the common log format has a space in it.
            int start = isTime() && from + 26 <= to && bytes[from + 2] == '/' ? from + 26 : from;
            for (int i = start; i <= to - behind.length; i++) {
                if (bytes[i] == '\\' && shape == Shape.QUOTED) {
                    i++;
                } else if (bytes[i] == first && Ascii.startsWith(bytes, i, to, behind)) {
                    if (shape != Shape.LIST || !goesOn(bytes, from, i, to)) {
                        return i;
                    }
                }
            }
            return -1;
        }

        private boolean isTime() {
            return field == Fields.START_TIME || field == Fields.END_TIME;
        }

        /** Whether the space at this place is within a list, as in {@code a, b : c}. */
        private static boolean goesOn(byte[] bytes, int from, int at, int to) {
            if (bytes[at] != ' ' || at == from) {
                return false;
            }
            byte before = bytes[at - 1];
            boolean isBehindColon = before == ':' && at - 2 >= from && bytes[at - 2] == ' ';
            boolean isBeforeColon = at + 2 < to && bytes[at + 1] == ':' && bytes[at + 2] == ' ';
            return before == ',' || isBehindColon || isBeforeColon;
        }
    }

    /** What a part is. */
    private enum Shape {
        TEXT,
        PLAIN,
        QUOTED,
        LIST
    }

    /** Puts a pattern together, from left to right. Not thread-safe. */
    static final class Builder {

        private final StringBuilder text = new StringBuilder();
        private final List<Part> parts = new ArrayList<>();
        private final int[] ranks = new int[Fields.COUNT];
        private final int[] places = new int[Fields.COUNT];
        private String lastName = "";

        Builder text(String literal) {
            text.append(literal);
            return this;
        }

        /** A variable that says nothing of use. */
        Builder other(String name, boolean list) {
            return variable(name, -1, 0, list);
        }

        /**
         * A variable.
         *
         * @param name as users write it
         * @param field its place
         * @param rank of several for one place, the one with the lowest is taken
         * @param list whether its value may be a list, with spaces in it
         */
        Builder variable(String name, int field, int rank, boolean list) {
            String before = flush();
            if (!parts.isEmpty() && before.isEmpty()) {
                throw new IllegalArgumentException("the format has nothing between " + lastName + " and " + name
                        + ", so that nobody can say where one ends and the other begins");
            }
            Shape shape = before.endsWith("\"") ? Shape.QUOTED : list ? Shape.LIST : Shape.PLAIN;
            int place = parts.size();
            parts.add(new Part(new byte[0], Verdict.NOTHING, field, shape));
            if (field >= 0) {
                claim(field, place, rank);
            }
            lastName = name;
            return this;
        }

        private void claim(int field, int place, int rank) {
            if (places[field] > 0 && ranks[field] <= rank) {
                forget(place);
                return;
            }
            if (places[field] > 0) {
                forget(places[field] - 1);
            }
            places[field] = place + 1;
            ranks[field] = rank;
        }

        private void forget(int place) {
            Part part = parts.get(place);
            parts.set(place, new Part(part.text, part.mismatch, -1, part.shape));
        }

        private String flush() {
            String literal = text.toString();
            if (!literal.isEmpty()) {
                String where = lastName.isEmpty() ? "at the beginning" : "behind " + lastName;
                Verdict mismatch = Verdict.unparsable("no '" + literal + "' " + where + ", where the format has it");
                parts.add(new Part(Ascii.bytes(literal), mismatch, -1, Shape.TEXT));
                text.setLength(0);
            }
            return literal;
        }

        LinePattern build() {
            flush();
            LinePattern pattern = new LinePattern(parts);
            boolean hasTime = pattern.knows(Fields.START_TIME) || pattern.knows(Fields.END_TIME);
            if (!hasTime) {
                throw new IllegalArgumentException("the format has no time");
            }
            if (!pattern.knows(Fields.STATUS) && !pattern.knows(Fields.UPSTREAM_STATUS)) {
                throw new IllegalArgumentException("the format has no status");
            }
            return pattern;
        }
    }
}
