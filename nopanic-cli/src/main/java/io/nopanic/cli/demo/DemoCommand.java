package io.nopanic.cli.demo;

import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Text;
import io.nopanic.time.Time;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demonstration against a real HTTP server and shows it. */
@Command(
        name = "demo",
        header = "Shows what a circuit breaker does for a server that is down.",
        description = {
            "",
            "Starts an HTTP server on a free port of the loopback interface. Its first five calls take 48 ms each and fail; then"
                    + " it is healthy. A caller makes thirty calls to it, one every 24 ms or as soon as the last one has ended: first"
                    + " without a breaker, then, with the same outage from the beginning, with one that opens after 3 failures in"
                    + " a row, stays open for 120 ms and then lets one probe pass. A call that the breaker refuses is answered from"
                    + " a cache.",
            "",
            "The calls are shown on a timeline, and the counts in a table. They follow from the policy and are the same"
                    + " each time: 30 calls reach the server without a breaker and 15 with one. Should the machine be so busy that"
                    + " a call comes more than 24 ms late, the run is repeated, with a word about it.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  nopanic demo",
            "  nopanic demo --json | jq .withBreaker.reached",
            "  LC_ALL=C nopanic demo      (ASCII only)",
            "",
            "Exit codes: 0 the counts are as they must be, 1 they are not, 2 wrong usage"
        })
public final class DemoCommand implements Callable<Integer> {

    private final Screen screen;
    private final Time time;

    @Option(names = "--json", description = "Write the calls, the breaker's states and the counts as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    /** A command that writes to this screen and runs on this time. */
    public DemoCommand(Screen screen, Time time) {
        this.screen = screen;
        this.time = time;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Rehearsal.hold();
        try (HttpService service = HttpService.start(time)) {
            announce(service);
            Lesson lesson = teach(service);
            Report report = new Report(screen, lesson);
            if (json) {
                report.printJson();
            } else {
                report.print();
            }
            return verdict(lesson);
        }
    }

    private void announce(HttpService service) {
        if (json) {
            return;
        }
        screen.say("A server on 127.0.0.1:" + service.port() + " fails its first " + Outage.FAILING_CALLS
                + " calls, slowly, and is healthy then. " + Script.CALLS + " calls to it, one every "
                + Script.BEAT.toMillis() + " ms or as soon as the last one has ended:");
        screen.out().println();
    }

    private Lesson teach(HttpService service) throws InterruptedException {
        Progress progress = json ? Progress.none(screen) : Progress.on(screen);
        progress.show("calling ...");
        Lesson lesson = Lesson.teach(new Script(time, service), heldUpNanos -> {
            progress.clear();
            screen.err()
                    .println("nopanic demo: this machine held the caller up for " + Text.time(heldUpNanos)
                            + ", too long for the script; once more");
        });
        progress.clear();
        return lesson;
    }

    private int verdict(Lesson lesson) {
        if (lesson.holds()) {
            return CommandLine.ExitCode.OK;
        }
        screen.err().println("nopanic demo: the counts are not what the policy asks for");
        return CommandLine.ExitCode.SOFTWARE;
    }
}
