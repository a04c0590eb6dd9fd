package io.nopanic.cli.terminal;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/**
 * Where a command writes, and what may be written there. Not thread-safe.
 *
 * @param out for results
 * @param err for complaints
 * @param terminal whether somebody watches: lines may be overwritten
 * @param colours whether colours are wanted
 * @param unicode whether more than ASCII can be shown
 */
public record Screen(PrintWriter out, PrintWriter err, boolean terminal, boolean colours, boolean unicode) {

    private static final int WIDTH = 80;

    /** A colour by its meaning. */
    public enum Colour {
        /** All is well. */
        GOOD("green"),
        /** Something failed. */
        BAD("red"),
        /** Something else was done instead. */
        INSTEAD("yellow"),
        /** Not so important. */
        FAINT("faint");

        private final String style;

        Colour(String style) {
            this.style = style;
        }
    }

    /**
     * The standard output and the standard error of this process. Colours only on a terminal, and not if the environment says otherwise
     * ({@code NO_COLOR}, {@code TERM=dumb}); Unicode if the locale's encoding has it.
     */
    public static Screen ofProcess() {
        boolean terminal = isTerminal();
        Charset charset = charsetOfOutput();
        return new Screen(
                new PrintWriter(new OutputStreamWriter(System.out, charset), true),
                new PrintWriter(new OutputStreamWriter(System.err, charset), true),
                terminal,
                terminal && Ansi.AUTO.enabled(),
                charset.newEncoder().canEncode('\u2501'));
    }

    /** Java 22 to 24 have a console without a terminal too, unless the property asks for the old one. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        System.setProperty("jdk.console", "java.base");
        return System.console() != null && !"dumb".equals(System.getenv("TERM"));
    }

    /** No terminal: plain ASCII. */
    public static Screen plain(Writer out, Writer err) {
        return new Screen(new PrintWriter(out, true), new PrintWriter(err, true), false, false, false);
    }

    /** Text in a colour, if colours are wanted. */
    public String paint(Colour colour, String text) {
        return colours ? ansi().string("@|" + colour.style + " " + text + "|@") : text;
    }

    /** Writes text to the output, in lines of at most {@value #WIDTH} columns. */
    public void say(String text) {
        TextTable lines =
                TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), new Column(WIDTH, 0, Column.Overflow.WRAP));
        lines.indentWrappedLines = 0;
        lines.addRowValues(text);
        lines.toString().lines().map(String::stripTrailing).forEach(out::println);
    }

    /** For the parts of the output that are not written here. */
    public Ansi ansi() {
        return colours ? Ansi.ON : Ansi.OFF;
    }

    /** Standard output's own encoding is known on a terminal only, and not by every version of Java; else that of the locale counts. */
    private static Charset charsetOfOutput() {
        return Stream.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")
                .map(System::getProperty)
                .filter(name -> name != null && Charset.isSupported(name))
                .findFirst()
                .map(Charset::forName)
                .orElse(Charset.defaultCharset());
    }
}
