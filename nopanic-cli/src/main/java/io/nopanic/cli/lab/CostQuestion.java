package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.FailureCost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Asks what a failure costs, once. */
final class CostQuestion {

    private final Screen screen;

    CostQuestion(Screen screen) {
        this.screen = screen;
    }

    /**
     * The answer; 1 for an empty one.
     *
     * @throws IllegalArgumentException if it is no number
     */
    double ask() throws IOException {
        screen.say(FailureCost.QUESTION);
        for (FailureCost answer : FailureCost.values()) {
            screen.say("  " + Plain.number(answer.refusedCalls()) + "  " + answer.words());
        }
        screen.out().print("A number, also one in between [1]: ");
        screen.out().flush();
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (line == null || line.isBlank()) {
            return FailureCost.EQUAL.refusedCalls();
        }
        try {
            return Double.parseDouble(line.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the answer is '" + line.strip() + "', allowed is a number", e);
        }
    }
}
