package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.FailureCost;
import io.nopanic.lab.tune.Wishes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Asks what a failure costs, until there is an answer. */
final class CostQuestion {

    private final Screen screen;
    private final BufferedReader answers;

    CostQuestion(Screen screen, Reader answers) {
        this.screen = screen;
        this.answers = new BufferedReader(answers);
    }

    /** The answer; 1 for an empty one, and where the input ends. */
    double ask() throws IOException {
        screen.say(FailureCost.QUESTION);
        for (FailureCost answer : FailureCost.values()) {
            screen.say("  " + Plain.number(answer.refusedCalls()) + "  " + answer.words());
        }
        for (; ; ) {
            screen.out().print("A number, also one in between [1]: ");
            screen.out().flush();
            String line = answers.readLine();
            if (line == null) {
                screen.out().println();
            }
            if (line == null || line.isBlank()) {
                return FailureCost.EQUAL.refusedCalls();
            }
            try {
                return Wishes.ofCost(number(line.strip())).failureCost();
            } catch (IllegalArgumentException e) {
                screen.say(String.valueOf(e.getMessage()));
            }
        }
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the answer is '" + text + "', allowed is a number", e);
        }
    }
}
