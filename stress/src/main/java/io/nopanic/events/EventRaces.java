package io.nopanic.events;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Instant;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** Events that several threads publish, and one listener. */
public final class EventRaces {

    private EventRaces() {}

    private static Event event(int number) {
        return new Event.CallSucceeded(new Event.Stamp("pipeline", 0, Instant.EPOCH), number);
    }

    /**
     * Two threads publish two events each. The listener's fields are plain: only the promise that it hears one event at a time, and sees what it did before, keeps
     * them in order. Result: events heard, events waiting for ever, and whether those of each thread came in its order.
     */
    @JCStressTest
    @Description("Two threads publish two events each: are all delivered, one at a time, each thread's in its order?")
    @Outcome(id = "4, 0, true", expect = ACCEPTABLE, desc = "all of them")
    @State
    public static class PublishAgainstPublish {

        private final Events events = new Events();
        private int heard;
        private int inside;
        private boolean inOrder = true;
        private final long[] last = new long[2];

        public PublishAgainstPublish() {
            events.subscribe(Event.CallSucceeded.class, this::hear);
        }

        private void hear(Event.CallSucceeded event) {
            inside++;
            heard++;
            int publisher = (int) event.durationNanos() / 10;
            inOrder &= last[publisher] < event.durationNanos();
            last[publisher] = event.durationNanos();
            inside--;
        }

        @Actor
        public void one() {
            events.publish(event(1));
            events.publish(event(2));
        }

        @Actor
        public void other() {
            events.publish(event(11));
            events.publish(event(12));
        }

        @Arbiter
        public void end(IIZ_Result r) {
            r.r1 = heard;
            r.r2 = inside;
            r.r3 = inOrder;
        }
    }
}
