package io.nopanic.lab.logs.format;

import java.io.InputStream;
import java.util.function.Function;

/** A format, by the name that users know it by. */
public sealed interface LogFormat {

    /** How users name it. */
    String name();

    /** One line, one call or more. */
    final class OfLines implements LogFormat {

        private final String name;
        private final Function<Reading, LineParser> parsers;

        OfLines(String name, Function<Reading, LineParser> parsers) {
            this.name = name;
            this.parsers = parsers;
        }

        @Override
        public String name() {
            return name;
        }

        /**
         * A reader of one file.
         *
         * @throws IllegalArgumentException if lines of this format do not say what calls shall be told apart by
         */
        public LineParser parser(Reading reading) {
            return parsers.apply(reading);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Documents of JSON with spans in them, of any length and any number to a file. */
    final class OfSpans implements LogFormat {

        private final String name;
        private final SpanDialect dialect;

        OfSpans(String name, SpanDialect dialect) {
            this.name = name;
            this.dialect = dialect;
        }

        /**
         * A reader of one file.
         *
         * @param maxText no text in a document may have more characters
         */
        public SpanReader reader(InputStream in, int maxText, Reading reading) {
            return new SpanReader(dialect, in, maxText, reading);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
