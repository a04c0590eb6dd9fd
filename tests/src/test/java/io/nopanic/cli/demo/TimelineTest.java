package io.nopanic.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.testkit.VirtualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final Screen ASCII = Screen.plain(new StringWriter(), new StringWriter());
    private static final Screen UNICODE = screen(false);
    private static final Screen COLOURFUL = screen(true);

    private final VirtualTime virtual = VirtualTime.create();
    private Lesson lesson;

    private static Screen screen(boolean colours) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return new Screen(nowhere, nowhere, colours, colours, true);
    }

    @BeforeEach
    void teach() throws InterruptedException {
        lesson = Lesson.teach(new Script(virtual.time(), new ScriptedDependency(virtual.time())), nanos -> {});
    }

    private Timeline on(Screen screen) {
        return new Timeline(screen, List.of(lesson.without(), lesson.with()));
    }

    @Test
    void aColumnIsTwelveMillisecondsWhenNothingIsLate() {
        assertThat(on(ASCII).scale()).isEqualTo("  0 ms      120       240       360       480       600       720");
    }

    @Test
    void drawsTheCallsAndTheBreakerInAscii() {
        assertThat(on(ASCII).calls(lesson.without()))
                .isEqualTo("  ===X===X===X===X===Xo o o o o o o o o o o o o o o o o o o o o o o o o");
        assertThat(on(ASCII).calls(lesson.with()))
                .isEqualTo("  ===X===X===X- - - - - ===X- - - - - ===X- - - - - o o o o o o o o o o");
        assertThat(on(ASCII).states(lesson.with()))
                .isEqualTo("  ____________##########????##########????##########__________________");
    }

    @Test
    void drawsThemInUnicode() {
        assertThat(on(UNICODE).calls(lesson.with()))
                .isEqualTo("  ━━━✗━━━✗━━━✗○ ○ ○ ○ ○ ━━━✗○ ○ ○ ○ ○ ━━━✗○ ○ ○ ○ ○ ● ● ● ● ● ● ● ● ● ●");
        assertThat(on(UNICODE).states(lesson.with()))
                .isEqualTo("  ────────────██████████▒▒▒▒██████████▒▒▒▒██████████──────────────────");
    }

    @Test
    void coloursAddNothingThatTheSignsDoNotSay() {
        String coloured = on(COLOURFUL).calls(lesson.with());

        assertThat(coloured).contains("\u001b[");
        assertThat(coloured.replaceAll("\u001b\\[[\\d;]*m", ""))
                .isEqualTo(on(UNICODE).calls(lesson.with()));
    }

    @Test
    void aSlowMachineMakesTheColumnsCoarserAndTheLinesNoLonger() {
        Run slow = new Run(
                lesson.without().calls().stream()
                        .map(call -> new MadeCall(
                                call.outcome(), call.startNanos() * 100, call.endNanos() * 100, call.lateNanos()))
                        .toList(),
                List.of(),
                30);
        Timeline timeline = new Timeline(ASCII, List.of(slow, lesson.with()));

        assertThat(timeline.calls(slow).length()).isBetween(60, 80);
        assertThat(timeline.scale()).hasSizeLessThanOrEqualTo(80);
    }
}
