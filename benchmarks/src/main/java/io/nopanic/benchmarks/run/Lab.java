package io.nopanic.benchmarks.run;

import io.nopanic.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Times commands of the lab, each as a whole process in 512 MB of heap: how many calls they go through in a second. */
final class Lab {

    static final String SIMULATED = "simulate, one policy";
    static final String REPLAYED = "replay of nginx lines, six policies";

    private static final List<String> OPTIONS = List.of("-Xms512m", "-Xmx512m");
    private static final String SIX = "none,auto,nopanic,r4j,hystrix,polly";
    private static final double DAY_SECONDS = 86_400;
    private static final long SIMULATED_CALLS = 10_000_000;

    private final Jvm jvm;

    Lab(Jvm jvm) {
        this.jvm = jvm;
    }

    /**
     * Times them.
     *
     * @param lines of the logs to be replayed
     * @param done is told what was timed, and how many seconds it took
     */
    void run(List<Long> lines, BiConsumer<Others.LabCommand, Double> done)
            throws IOException, InterruptedException, Jvm.FailedException {
        done.accept(
                new Others.LabCommand(SIMULATED, SIMULATED_CALLS),
                seconds(simulate(SIMULATED_CALLS, "--policy", "auto")));
        Path folder = Files.createTempDirectory("logs");
        Path log = folder.resolve("access.log");
        try {
            for (long count : lines) {
                jvm.run(
                        OPTIONS,
                        Main.class,
                        simulate(count, "--policy", "none", "--latency", "30ms", "--write", "nginx:" + log),
                        Jvm.MAX_SECONDS);
                done.accept(
                        new Others.LabCommand(REPLAYED, count),
                        seconds(List.of("replay", log.toString(), "--policy", SIX)));
                Files.delete(log);
            }
        } finally {
            Files.deleteIfExists(log);
            Files.delete(folder);
        }
    }

    private static List<String> simulate(long calls, String... options) {
        List<String> command = new ArrayList<>(List.of("simulate", "--days", "1", "--rate", "" + calls / DAY_SECONDS));
        command.addAll(List.of(options));
        return command;
    }

    private double seconds(List<String> command) throws IOException, InterruptedException, Jvm.FailedException {
        long startNanos = System.nanoTime();
        jvm.run(OPTIONS, Main.class, command, Jvm.MAX_SECONDS);
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
