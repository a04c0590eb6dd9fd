package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nopanic.spi.Admission;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimiterAllocationTest {

    private static final int CALLS = 300_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private double bytesPerCall(Admission admission) {
        long startNanos = admission.time().orElseThrow().nanos();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < CALLS; i++) {
            admission.tryAcquire(startNanos + i);
        }
        return (double) (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / CALLS;
    }

    @Test
    void decidingWithoutWaitingAllocatesNothing() {
        assertThat(bytesPerCall(RateLimiter.of(1_000_000, Duration.ofSeconds(1))))
                .as("granted")
                .isLessThan(1);
        assertThat(bytesPerCall(RateLimiter.of(1, Duration.ofSeconds(1))))
                .as("refused")
                .isLessThan(1);
        assertThat(bytesPerCall(RateLimiter.of(1_000_000, Duration.ofSeconds(1)).weighted(3)))
                .isLessThan(1);
        assertThat(bytesPerCall(RateLimiter.builder()
                        .rate(1_000_000_000, Duration.ofSeconds(1))
                        .leased(32)
                        .build()))
                .as("leased")
                .isLessThan(1);
        assertThat(bytesPerCall(AdaptiveRateLimiter.of(1_000_000, Duration.ofSeconds(1))))
                .isLessThan(1);
        assertThat(bytesPerCall(RateLimiter.builder()
                        .rate(1_000, Duration.ofSeconds(1))
                        .strict()
                        .build()))
                .as("strict")
                .isLessThan(1);
    }
}
