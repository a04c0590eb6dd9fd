package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WaitQueueTest {

    /** One whose place in the queue is not found, once. */
    private static final class FragileTicket extends WaitQueue.Ticket {

        private boolean fails;

        FragileTicket() {
            super(() -> {});
        }

        @Override
        public int hashCode() {
            if (fails) {
                fails = false;
                throw new OutOfMemoryError("Java heap space");
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    @Test
    void aPermitThatCouldNotBeHandedOverIsFree() {
        Permits permits = new Permits(1);
        WaitQueue queue = new WaitQueue(permits, 1);
        long permit = permits.tryTake();
        FragileTicket waiting = new FragileTicket();
        assertThat(queue.join(waiting, true)).isEqualTo(WaitQueue.Joined.WAITING);
        waiting.fails = true;
        assertThatThrownBy(() -> queue.giveBack(permit)).isInstanceOf(OutOfMemoryError.class);
        assertThat(queue.withdraw(waiting)).isTrue();
        assertThat(queue.available()).isOne();
    }
}
