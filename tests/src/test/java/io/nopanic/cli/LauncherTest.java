package io.nopanic.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that builds and runs the tool, in a checkout without sources, with a Java and a Maven that only say how they were called.
 */
class LauncherTest {

    private static final String SAY_ARGUMENTS = "for word; do echo \"<$word>\"; done; exit 7";

    private static final String BUILD = """
            if [ "$1" = --version ]; then echo 'Apache Maven 3.8.7'; exit; fi
            echo built >> built-times""";

    @TempDir
    Path folder;

    private Path checkout;
    private Path jdk;
    private Path tools;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void layOut() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
        checkout = folder.resolve("check out");
        for (String source : List.of(
                "pom.xml",
                "nopanic-core/pom.xml",
                "nopanic-core/src/main/A.java",
                "nopanic-lab/pom.xml",
                "nopanic-lab/src/main/C.java",
                "nopanic-cli/pom.xml",
                "nopanic-cli/src/main/B.java")) {
            write(checkout.resolve(source), "");
        }
        Files.copy(repository().resolve("nopanic"), checkout.resolve("nopanic"));
        jdk = folder.resolve("jdk");
        write(jdk.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.1\"\n");
        command(jdk.resolve("bin/java"), SAY_ARGUMENTS);
        command(jdk.resolve("bin/javac"), "");
        tools = folder.resolve("tools");
        command(tools.resolve("mvn"), BUILD);
    }

    private static Path repository() {
        Path found = Path.of("").toAbsolutePath();
        while (!Files.exists(found.resolve(".mvn/jvm.config"))) {
            found = found.getParent();
        }
        return found;
    }

    @Test
    void buildsOnceAndPassesArgumentsAndExitCodeThrough() throws Exception {
        Ended first = run("load", "--failing", "1 / 3", "");
        Ended second = run("demo");

        assertThat(first.out()).endsWith("<load>\n<--failing>\n<1 / 3>\n<>\n").contains("<-jar>\n");
        assertThat(first.code()).isEqualTo(7);
        assertThat(first.err()).startsWith("nopanic: building ").hasLineCount(1);
        assertThat(second.out()).endsWith("<demo>\n");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void worksThroughALinkAndFromAnywhere() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("check out", "nopanic"));

        assertThat(start(Path.of("/"), link, Map.of(), "demo").out()).endsWith("<demo>\n");
    }

    @Test
    void buildsAnewWhenASourceHasChangedOrGone() throws Exception {
        run();
        Path built = checkout.resolve("nopanic-cli/target/quick/built");
        Files.setLastModifiedTime(built, FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
        run();
        assertThat(builds()).isEqualTo(1);

        Files.setLastModifiedTime(
                checkout.resolve("nopanic-core/src/main/A.java"), FileTime.from(Instant.parse("2031-01-01T00:00:00Z")));
        assertThat(run().err()).contains("changed");
        assertThat(builds()).isEqualTo(2);

        Files.setLastModifiedTime(checkout.resolve("nopanic-core/src/main/A.java"), FileTime.fromMillis(0));
        Files.setLastModifiedTime(built, FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
        Files.delete(checkout.resolve("nopanic-cli/src/main/B.java"));
        run();
        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void aBuildThatFailsShowsWhatMavenSaidAndIsTriedAgain() throws Exception {
        command(tools.resolve("mvn"), BUILD + "; echo '[INFO] much'; echo '[ERROR] no luck'; exit 1");

        Ended failed = run("demo");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("[ERROR] no luck", "build.log").doesNotContain("much");
        assertThat(failed.out()).isEmpty();
        run("demo");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void namesWhatIsMissing() throws Exception {
        Files.delete(tools.resolve("mvn"));
        assertThat(run().err()).contains("mvn was not found", "3.8");

        Files.delete(jdk.resolve("bin/javac"));
        assertThat(run().err()).contains("no compiler", "JDK");

        Files.delete(jdk.resolve("bin/java"));
        assertThat(run().err()).contains("JAVA_HOME", "no java in it");

        Ended nothing = start(folder, checkout.resolve("nopanic"), Map.of("JAVA_HOME", ""));
        assertThat(nothing.err()).contains("java was not found", "17");
        assertThat(nothing.code()).isEqualTo(1);
    }

    @Test
    void namesWhatIsTooOld() throws Exception {
        command(tools.resolve("mvn"), "echo 'Apache Maven 3.6.3 (abc)'");
        assertThat(run().err()).contains("version 3.6.3", "3.8");

        write(jdk.resolve("release"), "JAVA_VERSION=\"1.8.0_292\"\n");
        assertThat(run().err()).contains("is Java 8", "17");

        Files.delete(jdk.resolve("release"));
        command(jdk.resolve("bin/java"), "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
        assertThat(run().err()).contains("is Java 11", "17");
    }

    private Ended run(String... arguments) throws Exception {
        return start(folder, checkout.resolve("nopanic"), Map.of(), arguments);
    }

    /** Runs the script with nothing on the path but what it may use of a system, and the tools. */
    private Ended start(Path from, Path script, Map<String, String> environment, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("/bin/bash", script.toString()));
        words.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(from.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", tools + ":" + systemTools());
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Path systemTools() throws IOException {
        Path system = folder.resolve("system");
        for (String tool : List.of(
                "dirname",
                "readlink",
                "sed",
                "head",
                "find",
                "mkdir",
                "touch",
                "mv",
                "grep",
                "cat",
                "sleep",
                "flock")) {
            for (String place : List.of("/usr/bin", "/bin")) {
                if (Files.exists(Path.of(place, tool))) {
                    command(system.resolve(tool), "exec " + place + "/" + tool + " \"$@\"");
                }
            }
        }
        return system;
    }

    private long builds() throws IOException {
        Path times = checkout.resolve("built-times");
        return Files.exists(times) ? Files.readAllLines(times).size() : 0;
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void command(Path file, String script) throws IOException {
        write(file, "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
