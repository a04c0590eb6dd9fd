package io.nopanic.stress.linearizability;

import io.nopanic.stress.Jvm;
import io.nopanic.stress.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Runs the Lincheck models, in a JVM with the flags that Lincheck needs. */
@Command(
        name = "linearizability",
        mixinStandardHelpOptions = true,
        description =
                "Small scenarios of several threads: is there an order of their steps in which a simple model does the same? By Lincheck.")
public final class Linearizability implements Callable<Integer> {

    private static final String[] FLAGS = {
        "-ea",
        "-Xmx1g",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+EnableDynamicAgentLoading",
        "-Djdk.attach.allowAttachSelf=true",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
    };

    @ParentCommand
    private Mode mode;

    @Parameters(paramLabel = "<model>", description = "Names of models, or parts of them. Default: all.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        List<String> args = new ArrayList<>(names);
        args.add(0, Boolean.toString(mode.isQuick()));
        return Jvm.withFlags(FLAGS).run(Checks.class, args, Linearizability::print);
    }

    /** Leaves out that Lincheck cannot look into records, which it says of each of their fields. */
    private static void print(String line) {
        if (!line.startsWith("[WARN] Failed to get ") && !line.contains("Sharing is only supported")) {
            System.out.println(line);
        }
    }
}
