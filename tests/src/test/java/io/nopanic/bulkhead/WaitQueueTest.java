package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitQueueTest {

    /** One that cannot be looked for. */
    private static final class FragileTicket extends WaitQueue.Ticket {

        FragileTicket() {
            super(() -> {});
        }

        @Override
        public int hashCode() {
            throw new OutOfMemoryError("Java heap space");
        }

        @Override
        public boolean equals(Object other) {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    @Test
    void toHandAPermitOverTakesNothingThatCanFail() {
        Permits permits = new Permits(1);
        WaitQueue queue = new WaitQueue(permits, 2);
        long permit = permits.tryTake();
        FragileTicket first = new FragileTicket();
        FragileTicket second = new FragileTicket();
        assertThat(queue.join(first, true)).isEqualTo(WaitQueue.Joined.WAITING);
        assertThat(queue.join(second, true)).isEqualTo(WaitQueue.Joined.WAITING);
        assertThat(queue.giveBack(permit)).isNotNull();
        assertThat(first.take()).isTrue();
        assertThat(queue.withdraw(second)).isTrue();
        assertThat(queue.length()).isZero();
    }
}
