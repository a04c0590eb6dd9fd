package io.nopanic.benchmarks.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds JDKs. */
public final class Jdks {

    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

    /** The first with virtual threads that are not pinned by monitors. */
    public static final int NEW = 24;

    private Jdks() {}

    /** The JDK that this runs on. */
    public static Path own() {
        return Path.of(System.getProperty("java.home"));
    }

    /** The newest JDK beside the one that this runs on, if it has good virtual threads. */
    public static Optional<Path> newer() throws IOException {
        Path folder = own().toRealPath().getParent();
        if (folder == null) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(folder)) {
            return homes.filter(home -> version(home) >= NEW).max(Comparator.comparingInt(Jdks::version));
        }
    }

    /** What the JDK in a folder calls itself, as it does when it runs. */
    static String describe(Path home) {
        String release;
        try {
            release = Files.readString(home.resolve("release"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "Java " + field(release, "JAVA_RUNTIME_VERSION") + " (" + field(release, "IMPLEMENTOR") + ")";
    }

    private static String field(String release, String name) {
        Matcher found = Pattern.compile("(?m)^" + name + "=\"(.*)\"").matcher(release);
        return found.find() ? found.group(1) : "unknown";
    }

    /** The major version of the JDK in a folder; 0 if there is none. */
    public static int version(Path home) {
        try {
            Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
            boolean runs = Files.isExecutable(home.resolve("bin").resolve("java"));
            return runs && version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException notAJdk) {
            return 0;
        }
    }
}
