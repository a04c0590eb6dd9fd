package io.nopanic.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What stands above the commands. */
@Command(
        name = "nopanic",
        mixinStandardHelpOptions = true,
        versionProvider = NopanicCommand.Version.class,
        header = "Guards for calls to things that fail: see them work, and see what they cost.",
        synopsisSubcommandLabel = "COMMAND",
        description = "",
        optionListHeading = "Options:%n",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  nopanic demo               a server that is down, with a breaker and without",
            "  nopanic load               3.2 million calls through one breaker",
            "  nopanic predict --policy hystrix --rate 10    what a breaker will do",
            "  nopanic simulate           breakers with invented traffic",
            "  nopanic replay access.log  breakers with recorded calls",
            "  nopanic tune access.log    what to set, from recorded calls",
            "  nopanic load --help        all about one command",
            "",
            "Output has colours and progress only on a terminal, and no colours where NO_COLOR is set. Signs are"
                    + " ASCII where the locale has no Unicode. With --json a command writes one JSON object to standard"
                    + " output, times in nanoseconds; complaints always go to standard error.",
            "",
            "Exit codes:",
            "  0  it went well",
            "  1  what was to be shown did not show, or the command could not do its work",
            "  2  wrong usage"
        })
final class NopanicCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: "
                        + String.join(" or ", spec.subcommands().keySet()));
    }

    /** The version this was built as, and the Java it runs on. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream text = Objects.requireNonNull(NopanicCommand.class.getResourceAsStream("version.txt"))) {
                String version = new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {
                    "nopanic " + version,
                    "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + "), "
                            + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                };
            }
        }
    }
}
