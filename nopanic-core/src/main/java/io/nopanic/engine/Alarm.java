package io.nopanic.engine;

import io.nopanic.time.Time;

/** What is to happen to a call when its time is up. */
interface Alarm {

    /** Goes off after a delay, and never early. */
    void arm(Time time, long delayNanos);

    /**
     * The call has ended. Called once, and not before {@link #arm} has returned.
     *
     * @return whether the call was interrupted before it ended
     */
    boolean off();
}
