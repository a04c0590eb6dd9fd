package io.nopanic.cli.load;

import io.nopanic.cli.options.Share;
import java.util.concurrent.Callable;

/**
 * A dependency that takes no time and fails evenly: what is measured is the guard. The failure that it throws was made in advance and has no stack
 * trace, because making exceptions costs more than guarding calls. One per thread.
 */
final class Dependency implements Callable<String> {

    /** What the failing calls throw. */
    static final class Failure extends Exception {

        private static final long serialVersionUID = 1L;

        private Failure() {
            super("made to fail", null, false, false);
        }
    }

    private final long numerator;
    private final long denominator;
    private final Failure failure = new Failure();
    private long due;

    Dependency(Share failing) {
        numerator = failing.numerator();
        denominator = failing.denominator();
    }

    @Override
    public String call() throws Failure {
        due += numerator;
        if (due < denominator) {
            return "answer";
        }
        due -= denominator;
        throw failure;
    }
}
