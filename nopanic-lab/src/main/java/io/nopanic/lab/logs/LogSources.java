package io.nopanic.lab.logs;

import io.nopanic.lab.logs.format.Detection;
import io.nopanic.lab.logs.format.Formats;
import io.nopanic.lab.logs.format.Intake;
import io.nopanic.lab.logs.format.LineParser;
import io.nopanic.lab.logs.format.LogFormat;
import io.nopanic.lab.logs.format.Reading;
import io.nopanic.lab.logs.format.SpanReader;
import io.nopanic.lab.logs.format.Verdict;
import io.nopanic.lab.logs.spool.CallSpool;
import io.nopanic.lab.logs.spool.KeyTable;
import io.nopanic.lab.logs.spool.TooManyKeysException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads logs of other programs and our own. All files of one log are in one format; what they hold is put in order of time together. */
public final class LogSources {

    private static final Verdict TOO_LONG = Verdict.unparsable("longer than a line may be");
    private static final String NO_FORMAT = "none, for there was nothing to read";
    private static final int LINES_PER_TELLING = 1 << 16;

    private final LogOptions options;
    private final InputStream standardInput;
    private final Tally tally = new Tally();
    private final Intake intake;
    private final Reading reading;
    private final CallSpool spool;
    private @Nullable LogFormat format;

    private LogSources(LogOptions options, InputStream standardInput) {
        this.options = options;
        this.standardInput = standardInput;
        KeyTable keys = new KeyTable(options.maxKeys());
        this.spool = new CallSpool(keys, options.memoryBytes(), options.temporaryFolder());
        this.intake = new Intake(keys, options.seed(), spool);
        this.reading = new Reading(options.classifier(), options.by(), intake);
    }

    /**
     * Reads logs, the standard input of this process among them if a name is {@code -}.
     *
     * @see #open(List, LogOptions, InputStream)
     */
    public static ReadCalls open(List<String> files, LogOptions options) throws LogException {
        return open(files, options, System.in);
    }

    /**
     * Reads logs.
     *
     * @param files their names; {@code -} is the standard input. May be packed with gzip
     * @param options how
     * @param standardInput what {@code -} stands for
     * @return the calls, to be closed by the caller
     * @throws LogException if a file cannot be opened, if no format fits, or if there are more keys than allowed. A file that ends in the middle is
     *     no such fault: {@link ReadReport#damages()}
     * @throws IllegalArgumentException if there are no files, or if the format does not say what calls shall be told apart by
     */
    public static ReadCalls open(List<String> files, LogOptions options, InputStream standardInput)
            throws LogException {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("files is empty, allowed is one name or more; - is the standard input");
        }
        for (String file : files) {
            check(file);
        }
        LogSources sources = new LogSources(options, standardInput);
        try (CallSpool spool = sources.spool) {
            for (String file : files) {
                sources.read(file);
            }
            LogFormat found = sources.format;
            return new ReadCalls(
                    spool.finish(),
                    sources.tally.report(found == null ? NO_FORMAT : found.name(), !sources.isNamed(), sources.intake));
        } catch (LogException e) {
            throw e;
        } catch (UncheckedIOException e) {
            throw unkept(options, e);
        } catch (IOException e) {
            throw unkept(options, e);
        }
    }

    private static LogException unkept(LogOptions options, Exception e) {
        return new LogException(
                "cannot keep the calls in a temporary file in " + options.temporaryFolder() + ": " + reason(e), e);
    }

    private static void check(String file) throws LogException {
        if (file.equals(Source.STANDARD_INPUT)) {
            return;
        }
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            throw new LogException(file + ": there is no such file");
        }
        if (Files.isDirectory(path)) {
            throw new LogException(file + ": is a folder, and a file is needed");
        }
        if (!Files.isReadable(path)) {
            throw new LogException(file + ": must not be read by this user");
        }
    }

    private void read(String file) throws IOException {
        Source opened;
        try {
            opened = Source.open(file, standardInput);
        } catch (IOException e) {
            tally.damage(file + ": cannot be read at all: " + reason(e));
            return;
        }
        try (Source source = opened) {
            LogFormat known = formatOf(file, source);
            if (known instanceof LogFormat.OfLines lines) {
                readLines(file, lines.parser(reading), new Lines(source.stream(), options.maxLineBytes()));
            } else if (known instanceof LogFormat.OfSpans spans) {
                readSpans(file, spans.reader(source.stream(), options.maxLineBytes(), reading));
            }
            intake.endOfFile();
        } catch (TooManyKeysException e) {
            throw new LogException(file + ": " + e.getMessage(), e);
        }
    }

    private void readLines(String file, LineParser parser, Lines lines) {
        long number = 0;
        while (hasNext(file, lines::next, number)) {
            number++;
            byte[] bytes = lines.bytes();
            Verdict verdict = lines.isTooLong() ? TOO_LONG : parser.read(bytes, lines.from(), lines.to());
            tally.count(verdict, file, number, bytes, lines.from(), lines.to());
            tellNowAndThen();
        }
    }

    private void readSpans(String file, SpanReader spans) {
        long number = 0;
        while (hasNext(file, spans::next, number)) {
            number++;
            byte[] example = spans.example().getBytes(StandardCharsets.UTF_8);
            tally.count(spans.verdict(), file, number, example, 0, example.length);
            tellNowAndThen();
        }
        if (spans.brokenDocuments() > 0) {
            tally.damage(file + ": holds what is no JSON, " + spans.brokenDocuments()
                    + " times; the spans from there to the next line that begins a document were not read");
        }
    }

    private void tellNowAndThen() {
        if (tally.lines() % LINES_PER_TELLING == 0) {
            options.progress().accept(tally.lines());
        }
    }

    private boolean hasNext(String file, Step step, long read) {
        try {
            return step.next();
        } catch (IOException e) {
            tally.damage(file + ": cannot be read beyond line " + read + ": " + reason(e)
                    + "; what is before that was read");
            return false;
        }
    }

    /** Goes on to the next line or span. */
    @FunctionalInterface
    private interface Step {
        boolean next() throws IOException;
    }

    /** The format of all files; {@code null} as long as they were empty. */
    private @Nullable LogFormat formatOf(String file, Source source) throws LogException {
        if (format == null) {
            List<LogFormat> named = options.format().map(Formats::named).orElseGet(Formats::candidates);
            format = named.size() == 1 ? named.get(0) : detected(file, source, named);
        }
        return format;
    }

    private boolean isNamed() {
        return options.format()
                .map(Formats::named)
                .filter(named -> named.size() == 1)
                .isPresent();
    }

    private @Nullable LogFormat detected(String file, Source source, List<LogFormat> candidates) throws LogException {
        byte[] head = source.head();
        String firstLine = Detection.firstLine(head);
        if (firstLine.isEmpty()) {
            return null;
        }
        return Detection.of(head, candidates)
                .orElseThrow(() -> new LogException(file + ": its lines are of no known format; name it ("
                        + Formats.NAMES + "). It begins with: " + firstLine));
    }

    private static String reason(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
