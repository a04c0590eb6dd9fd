package io.nopanic.stress.script;

import java.util.List;
import java.util.random.RandomGenerator;

/** Something that scripts are tried on. */
public interface Subject {

    /** Its name on the command line and in reports. */
    String name();

    /** What has to happen at least once among many seeds; a run in which it did not has looked at too little. */
    List<String> expected();

    /** Settings, drawn at random. */
    Setup setup(RandomGenerator random);

    /** Settings, drawn once; {@code toString} tells them. */
    interface Setup {

        /** The next line of a script. */
        Step draw(RandomGenerator random);

        /** How many lines a script has at the most. */
        default int maxSteps() {
            return 300;
        }

        /** Begins anew: the same every time. */
        Run begin(Tally tally);
    }

    /** A script under way. */
    interface Run {

        /**
         * Does a step.
         *
         * @throws Divergence if something is not as it has to be
         */
        void step(Step step);

        /** Looks at what is left when the script is over. */
        default void end() {}

        /** What has happened, as one number: the same for the same script. */
        default long history() {
            return 0;
        }
    }
}
