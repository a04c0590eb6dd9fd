package io.nopanic.benchmarks.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jmh.runner.CompilerHints;

/** Starts processes that measure, and reads what they print. */
final class Jvm {

    /** Memory is there before it is first used, else those that allocate pay for what the operating system does once. */
    private static final List<String> OPTIONS = List.of(
            "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-Djmh.ignoreLock=true", "-Djol.magicFieldOffset=true");

    /** The longest that a process may take that does a lot. */
    static final int MAX_SECONDS = 900;

    private static final int LINES_OF_A_FAILURE = 12;

    /** How a line of a stack trace begins. */
    private static final String FRAME = "\tat ";

    private final List<String> command = new ArrayList<>();

    /**
     * Processes of one JDK.
     *
     * @param home where it is
     */
    Jvm(Path home) throws IOException {
        command.add(home.resolve("bin").resolve("java").toString());
        command.addAll(OPTIONS);
        Path scratch = Files.createTempDirectory("bench");
        scratch.toFile().deleteOnExit();
        command.add("-Dcsp.sentinel.log.dir=" + scratch);
        CompilerHints.addCompilerHints(command); // what JMH would give to a fork of its own
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
    }

    /** A process that did not do its work. */
    static final class FailedException extends Exception {

        private static final long serialVersionUID = 1;

        FailedException(String message) {
            super(message);
        }
    }

    /**
     * Runs a class to its end and returns the lines that it printed.
     *
     * @param options for this process
     * @param maxSeconds after how many seconds it is ended
     */
    List<String> run(List<String> options, Class<?> main, List<String> arguments, int maxSeconds)
            throws IOException, InterruptedException, FailedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(options);
        words.add(main.getName());
        words.addAll(arguments);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        AtomicBoolean ended = new AtomicBoolean();
        Thread guard = new Thread(() -> endInTime(process, maxSeconds, ended), "ends processes that hang");
        guard.setDaemon(true);
        guard.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
        } finally {
            process.destroyForcibly();
        }
        int code = process.waitFor();
        if (code != 0) {
            List<String> first = lines.stream()
                    .filter(line -> !line.startsWith(FRAME))
                    .limit(LINES_OF_A_FAILURE)
                    .toList();
            String what = ended.get() ? "ended after " + maxSeconds + " s" : "exit code " + code;
            throw new FailedException(what + ": " + String.join(System.lineSeparator(), first));
        }
        return lines;
    }

    private static void endInTime(Process process, int maxSeconds, AtomicBoolean ended) {
        try {
            ended.set(!process.waitFor(maxSeconds, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
