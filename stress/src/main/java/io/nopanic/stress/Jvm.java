package io.nopanic.stress;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM like this one, for what needs flags or classes of its own. */
public final class Jvm {

    private final List<String> command = new ArrayList<>();
    private Path folder = Path.of("");
    private Duration limit = Duration.ofDays(365);

    private Jvm(String classPath, String... flags) {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.add("-Dstress.root=" + System.getProperty("stress.root", ""));
        command.add("-cp");
        command.add(classPath);
    }

    /** One with these flags and the classes of this one. */
    public static Jvm withFlags(String... flags) {
        return new Jvm(classPath(), flags);
    }

    /** One with these classes before those of this one. */
    public static Jvm withClasses(Path classes) {
        return new Jvm(classes + File.pathSeparator + classPath());
    }

    /** That of this JVM, so that it means the same in another folder. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Lets it run in this folder. */
    public Jvm in(Path value) {
        folder = value;
        return this;
    }

    /** Ends it if it has not ended after so long; its exit code is then none that a program ends with. */
    public Jvm within(Duration value) {
        limit = value;
        return this;
    }

    /**
     * Runs a program to its end, or to the end of this JVM.
     *
     * @param lines told each line that it writes
     * @return its exit code
     */
    public int run(Class<?> program, List<String> args, Consumer<String> lines) {
        List<String> all = new ArrayList<>(command);
        all.add(program.getName());
        all.addAll(args);
        try {
            Process process = new ProcessBuilder(all)
                    .directory(folder.toAbsolutePath().toFile())
                    .redirectErrorStream(true)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
            CompletableFuture<Void> tooLong = CompletableFuture.runAsync(
                    () -> end(process), CompletableFuture.delayedExecutor(limit.toSeconds(), TimeUnit.SECONDS));
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                output.lines().forEach(lines);
            }
            int code = process.waitFor();
            tooLong.cancel(false);
            return code;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while " + program.getName() + " ran", e);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    /** An empty folder of this name for what a part writes. */
    public static Path folder(String name) {
        Path folder = root().resolve("stress/target").resolve(name);
        try {
            if (Files.exists(folder)) {
                delete(folder);
            }
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of the whole checkout. */
    public static Path root() {
        return Path.of(System.getProperty("stress.root", ""));
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (var paths = Files.walk(folder)) {
            all = new ArrayList<>(paths.toList());
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.delete(all.get(i));
        }
    }
}
