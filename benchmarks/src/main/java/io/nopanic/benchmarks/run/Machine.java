package io.nopanic.benchmarks.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** Where the figures come from. */
final class Machine {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    static String date() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    static String java() {
        return "Java " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + ")";
    }

    static String processor() {
        int cores = Runtime.getRuntime().availableProcessors();
        return (cores == 1 ? "1 core" : cores + " cores") + ", " + model() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch");
    }

    private static String model() {
        if (!Files.isReadable(CPU_INFO)) {
            return "model unknown";
        }
        try {
            List<String> lines = Files.readAllLines(CPU_INFO);
            return lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("model unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
