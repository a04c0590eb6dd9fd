package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Events;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What throws in the line loses nobody who stands in it. */
class LineFaultsTest {

    private static EntryRequest request(long nowNanos, AtomicInteger woken) {
        return new EntryRequest("pipeline", nowNanos, Long.MAX_VALUE, woken::incrementAndGet);
    }

    /** A bucket that cannot tell how long to wait, once. */
    private static final class FragileMeter extends Meter {

        private final Bucket bucket;
        private boolean fails;

        FragileMeter(Bucket bucket) {
            this.bucket = bucket;
        }

        @Override
        int burst() {
            return bucket.burst();
        }

        @Override
        boolean tryTake(int permits, long nowNanos) {
            return bucket.tryTake(permits, nowNanos);
        }

        @Override
        long takeOrWaitNanos(int permits, long nowNanos) {
            return bucket.takeOrWaitNanos(permits, nowNanos);
        }

        @Override
        void close() {
            bucket.close();
        }

        @Override
        void open() {
            bucket.open();
        }

        @Override
        boolean take(int permits, long nowNanos) {
            return bucket.take(permits, nowNanos);
        }

        @Override
        long waitNanos(long permits, long nowNanos) {
            if (fails) {
                fails = false;
                throw new OutOfMemoryError("Java heap space");
            }
            return bucket.waitNanos(permits, nowNanos);
        }

        @Override
        int available(long nowNanos) {
            return bucket.available(nowNanos);
        }

        @Override
        long mark() {
            return bucket.mark();
        }

        @Override
        long version() {
            return bucket.version();
        }

        @Override
        void giveBack(int permits, long mark, long nowNanos) {
            bucket.giveBack(permits, mark, nowNanos);
        }

        @Override
        void change(Rate next, long nowNanos) {
            bucket.change(next, nowNanos);
        }
    }

    @Test
    void whoWasLetInIsWokenThoughSomethingThrewAfterThat() {
        Duration period = Duration.ofSeconds(1);
        FragileMeter meter = new FragileMeter(new Bucket(new Rate(1, period, 1).pace(), 0));
        Line line = new Line(meter, new Teller("limiter", new Events(), nowNanos -> null), Long.MAX_VALUE, 10);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        assertThat(line.enter(request(0, first), 1)).isInstanceOf(Entry.Admitted.class);
        Entry.Waiting place = (Entry.Waiting) line.enter(request(0, first), 1);
        line.enter(request(0, second), 1);
        meter.fails = true;
        assertThatThrownBy(() -> line.available(period.toNanos())).isInstanceOf(OutOfMemoryError.class);
        assertThat(first).hasValue(1);
        assertThat(place.check(period.toNanos())).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(line.queued()).isOne();
    }

    @Test
    void whoCouldNotBeToldOfIsNotInLine() {
        VirtualTime time = VirtualTime.create();
        RateLimiter limiter = RateLimiter.builder()
                .rate(1, Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(10))
                .time(time.time().withWallClock(() -> {
                    throw new IllegalStateException("no wall clock");
                }))
                .build();
        assertThat(limiter.tryTake()).isTrue();
        AtomicInteger woken = new AtomicInteger();
        try (Events.Subscription subscription = limiter.events().subscribe(event -> {})) {
            assertThatThrownBy(() -> limiter.enter(request(time.nanos(), woken)))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(limiter.queued()).isZero();
    }

    @Test
    void whoLeftWithAnErrorThatAnotherOnesWakeUpMadeIsNotInLine() {
        Duration period = Duration.ofSeconds(1);
        VirtualTime time = VirtualTime.create();
        RateLimiter limiter = RateLimiter.builder()
                .rate(1, period)
                .maxWait(Duration.ofSeconds(10))
                .time(time.time())
                .build();
        assertThat(limiter.tryTake()).isTrue();
        Waiter fragile = () -> {
            throw new OutOfMemoryError("Java heap space");
        };
        limiter.enter(new EntryRequest("pipeline", time.nanos(), Long.MAX_VALUE, fragile));
        time.advance(period);
        AtomicInteger woken = new AtomicInteger();
        assertThatThrownBy(() -> limiter.enter(request(time.nanos(), woken))).isInstanceOf(OutOfMemoryError.class);
        assertThat(limiter.queued()).isZero();
    }
}
