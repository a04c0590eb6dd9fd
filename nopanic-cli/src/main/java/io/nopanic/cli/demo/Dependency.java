package io.nopanic.cli.demo;

import java.io.IOException;

/** Something that answers, late, or not at all. Called by one thread. */
interface Dependency {

    /** From now on its calls follow this outage, from the beginning. */
    void suffer(Outage outage);

    /** Asks it. Takes as long as it takes. */
    Answer fetch() throws IOException, InterruptedException;
}
