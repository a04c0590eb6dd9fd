package io.nopanic.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final StringWriter written = new StringWriter();
    private final PrintWriter out = new PrintWriter(written);

    @Test
    void onATerminalTheLineIsReplacedAndInTheEndGone() {
        Progress progress = Progress.on(new Screen(out, out, true, false, true));
        progress.show("calls: 99 %");
        progress.show("done");
        progress.clear();

        assertThat(written.toString()).isEqualTo("\rcalls: 99 %\rdone       \r    \r");
    }

    @Test
    void elsewhereThereIsNone() {
        Progress progress = Progress.on(Screen.plain(out, out));
        progress.show("calls: 99 %");
        progress.clear();

        assertThat(written.toString()).isEmpty();
    }
}
