package io.nopanic.stress.linearizability;

import io.nopanic.ratelimit.Rate;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A limiter with six permits, half of which are leased, one to a stripe; time stands still. A lease on its way is seen by nobody, and is lost if the leases are called in meanwhile. So who is refused
 * depends on who meets whom. But no more permits are used than there are; and each two steps that meet hide or lose one permit at most: where none do, everything is exact.
 */
public final class LeasedLimiters {

    private static final int BURST = 6;
    private static final int HEAVY = 2;

    /** What a lease holds beside the permit that is used at once. */
    private static final int LEASED = 1;

    private final RateLimiter limiter = RateLimiter.builder()
            .rate(1, Duration.ofSeconds(1))
            .burst(BURST)
            .leased(LEASED + 1)
            .time(new HandTime().time)
            .build();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger meetings = new AtomicInteger();

    /** Permits that were taken, and those that somebody may be taking now. */
    private final AtomicInteger maybeTaken = new AtomicInteger();

    private final AtomicBoolean refusedInVain = new AtomicBoolean();

    private void begin() {
        meetings.addAndGet(underWay.getAndIncrement());
    }

    private void end() {
        underWay.decrementAndGet();
    }

    /** Takes a permit. */
    @Operation
    public boolean take() {
        return take(1);
    }

    /** Takes two permits at once, for which the leases may have to be called in. */
    @Operation
    public boolean takeTwo() {
        return take(HEAVY);
    }

    private boolean take(int permits) {
        begin();
        maybeTaken.addAndGet(permits);
        boolean taken = limiter.tryTake(permits);
        if (!taken) {
            int left = BURST - maybeTaken.addAndGet(-permits);
            if (left - LEASED * meetings.get() >= permits) {
                refusedInVain.set(true);
            }
        }
        end();
        return taken;
    }

    /** Changes the rate but not the burst, for which the leases are called in. */
    @Operation
    public void changeRate() {
        begin();
        limiter.setRate(new Rate(2, Duration.ofSeconds(1), BURST));
        end();
    }

    /** Counts the permits, for which the leases are called in. */
    @Operation
    public int available() {
        begin();
        int there = limiter.availablePermits();
        end();
        return there;
    }

    /** Whether the permits add up. */
    @Validate
    public void addUp() {
        int lost = BURST - maybeTaken.get() - limiter.availablePermits();
        if (lost < 0 || lost > LEASED * meetings.get() || refusedInVain.get()) {
            throw new IllegalStateException(maybeTaken + " taken, " + lost + " lost at " + meetings
                    + " meetings, refused in vain: " + refusedInVain);
        }
    }
}
