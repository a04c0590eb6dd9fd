package io.nopanic.lab.report.html;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes HTML that is well-formed XML too. Whatever is said in attributes and in text is escaped here, and nowhere else. Not thread-safe.
 */
final class Markup {

    private final StringBuilder out;
    private final Deque<String> open = new ArrayDeque<>();

    /** What begins with this, as it is. */
    Markup(String begin) {
        out = new StringBuilder(begin);
    }

    /** Begins an element; attributes are names and values in turn. */
    Markup open(String element, String... attributes) {
        begin(element, attributes);
        out.append('>');
        open.push(element);
        return this;
    }

    /** An element without content, of those that may have none. */
    Markup leaf(String element, String... attributes) {
        begin(element, attributes);
        out.append("/>");
        return this;
    }

    /** An element around a text. */
    Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** Ends the element that was begun last. */
    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    /** A line break in the source, which makes it readable and nothing else. */
    Markup line() {
        out.append('\n');
        return this;
    }

    /** A style sheet or a script of our own, which has no sign that would have to be escaped. */
    Markup verbatim(String text) {
        if (text.indexOf('<') >= 0 || text.indexOf('&') >= 0) {
            throw new IllegalArgumentException("the text has a '<' or a '&', which is not well-formed there");
        }
        out.append(text);
        return this;
    }

    private void begin(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(code -> {
            switch (code) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isAllowed(code) ? code : '\uFFFD');
            }
        });
    }

    /** XML has no control characters and no halves of characters; and those that turn the direction of text would hide what a log says. */
    private static boolean isAllowed(int code) {
        boolean control = Character.isISOControl(code) && code != '\n' && code != '\t';
        boolean turning = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
        boolean none = (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF;
        return !control && !turning && !none;
    }

    /** A coordinate: to a tenth. */
    static String at(double coordinate) {
        String text = String.format(Locale.ROOT, "%.1f", coordinate);
        String whole = text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        return whole.equals("-0") ? "0" : whole;
    }

    /** A number that somebody may compute with: all of it. */
    static String exact(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? String.valueOf((long) number)
                : String.valueOf(number);
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException(open.peek() + " is not closed");
        }
        return out.toString();
    }
}
