package io.nopanic.benchmarks.contestants;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/** A wall clock for peers that ask one, made of any count of nanoseconds. */
final class NanosClock extends Clock {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final LongSupplier nanos;

    NanosClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        long now = nanos.getAsLong();
        return Instant.ofEpochSecond(now / NANOS_PER_SECOND, now % NANOS_PER_SECOND);
    }
}
