package io.nopanic.cli.demo;

import io.nopanic.time.Time;

/** A dependency without a network that follows an outage on any time. */
final class ScriptedDependency implements Dependency {

    private final Time time;
    private Outage outage = new Outage();

    ScriptedDependency(Time time) {
        this.time = time;
    }

    @Override
    public void suffer(Outage next) {
        outage = next;
    }

    @Override
    public Answer fetch() throws ServerErrorException, InterruptedException {
        Outage.Step step = outage.next();
        Clock.awaitNanos(time, time.nanos() + step.afterNanos());
        if (step.fails()) {
            throw new ServerErrorException(500);
        }
        return new Answer("rates of right now", false);
    }
}
