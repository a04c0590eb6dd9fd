package io.nopanic.stress.model;

import io.nopanic.budget.Budget;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.time.Time;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The settings of a retry. Chance is one number, in eighths, so that all arithmetic is exact. */
record RetrySettings(Curve curve, Spread spread, int eighth, Limits limits, Spending spending) {

    enum Shape {
        NONE,
        FIXED,
        EXPONENTIAL,
        FIBONACCI,
        LIST
    }

    enum Jitter {
        NONE,
        FULL,
        EQUAL,
        SHARE,
        WIDTH,
        DECORRELATED
    }

    /** {@code capNanos} is 0 for the default. */
    record Curve(Shape shape, long baseNanos, int halves, long capNanos) {}

    record Spread(Jitter jitter, int eighths, long widthNanos) {}

    /** Zero stands for none. */
    record Limits(int attempts, long hintCapNanos, long maxDurationNanos, long deadlineNanos) {}

    /** So many extra calls per window, however many calls there are; less than zero for no budget. */
    record Spending(int perSecond, long windowNanos) {}

    private static final long DEFAULT_CAP_NANOS = 30_000_000_000L;
    private static final long MILLI = 1_000_000;
    static final int[] LIST = {3, 0, 7, 1};

    static RetrySettings draw(RandomGenerator random) {
        long baseNanos = random.nextLong(1, 100 * MILLI);
        return new RetrySettings(
                new Curve(
                        Shape.values()[random.nextInt(Shape.values().length)],
                        baseNanos,
                        random.nextInt(2, 7),
                        random.nextBoolean() ? 0 : baseNanos * random.nextInt(1, 40)),
                new Spread(
                        Jitter.values()[random.nextInt(Jitter.values().length)],
                        random.nextInt(1, 9),
                        random.nextLong(1, 50 * MILLI)),
                random.nextInt(8),
                new Limits(
                        random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(1, 8),
                        random.nextInt(3) == 0 ? 0 : random.nextLong(1, 1000 * MILLI),
                        random.nextInt(3) > 0 ? 0 : random.nextLong(1, 3000 * MILLI),
                        random.nextInt(3) > 0 ? 0 : random.nextLong(1, 3000 * MILLI)),
                new Spending(random.nextInt(-1, 6), random.nextLong(100 * MILLI, 20_000 * MILLI) / 10 * 10));
    }

    // ---------------- what is to be expected

    /** The delay after so many attempts, less than zero for none. */
    long delayNanos(int attempt, long previousNanos, long hintNanos) {
        if (curve.shape == Shape.LIST && spread.jitter != Jitter.DECORRELATED && attempt > LIST.length) {
            return -1;
        }
        long delayNanos = spreadNanos(Math.min(curveNanos(attempt), capNanos()), previousNanos);
        long hint = Math.min(hintNanos, limits.hintCapNanos);
        return hint > 0 ? Math.max(delayNanos, between(hint, hint + hint / 20 + 50 * MILLI)) : delayNanos;
    }

    private long capNanos() {
        if (curve.capNanos > 0) {
            return curve.capNanos;
        }
        boolean capped = curve.shape == Shape.EXPONENTIAL || curve.shape == Shape.FIBONACCI;
        return capped ? DEFAULT_CAP_NANOS : Long.MAX_VALUE / 4;
    }

    private long curveNanos(int attempt) {
        return switch (curve.shape) {
            case NONE -> 0;
            case FIXED -> curve.baseNanos;
            case LIST -> attempt > LIST.length ? 0 : LIST[attempt - 1] * curve.baseNanos;
            case EXPONENTIAL ->
                new BigDecimal(curve.halves)
                        .divide(new BigDecimal(2))
                        .pow(attempt - 1)
                        .multiply(new BigDecimal(curve.baseNanos))
                        .min(new BigDecimal(Long.MAX_VALUE / 4))
                        .setScale(0, RoundingMode.DOWN)
                        .longValueExact();
            case FIBONACCI -> {
                BigDecimal before = BigDecimal.ZERO;
                BigDecimal now = BigDecimal.ONE;
                for (int i = 1; i < attempt; i++) {
                    BigDecimal next = before.add(now);
                    before = now;
                    now = next;
                }
                yield now.multiply(new BigDecimal(curve.baseNanos))
                        .min(new BigDecimal(Long.MAX_VALUE / 4))
                        .longValueExact();
            }
        };
    }

    private long spreadNanos(long delayNanos, long previousNanos) {
        long cap = capNanos();
        return switch (spread.jitter) {
            case NONE -> delayNanos;
            case FULL -> between(0, delayNanos);
            case EQUAL -> between(delayNanos - delayNanos / 2, delayNanos);
            case SHARE -> {
                long half = delayNanos * spread.eighths / 8;
                yield between(delayNanos - half, Math.min(cap, delayNanos + half));
            }
            case WIDTH -> {
                long highest = Math.min(cap, delayNanos + spread.widthNanos);
                yield between(Math.max(0, highest - spread.widthNanos), highest);
            }
            case DECORRELATED -> {
                long base = curve.baseNanos;
                long capOfThis = decorrelatedCapNanos();
                long previous = Math.min(capOfThis, Math.max(Math.min(base, capOfThis), previousNanos));
                yield between(Math.min(base, capOfThis), Math.min(capOfThis, 3 * previous));
            }
        };
    }

    private long decorrelatedCapNanos() {
        return curve.capNanos > 0 ? curve.capNanos : DEFAULT_CAP_NANOS;
    }

    private long between(long low, long high) {
        return low + Math.min(high - low, (high - low + 1) * eighth / 8);
    }

    // ---------------- building

    Backoff backoff() {
        Duration base = Duration.ofNanos(curve.baseNanos);
        if (spread.jitter == Jitter.DECORRELATED) {
            return Backoff.decorrelatedJitter(base, Duration.ofNanos(decorrelatedCapNanos()));
        }
        Backoff backoff = switch (curve.shape) {
            case NONE -> Backoff.none();
            case FIXED -> Backoff.fixed(base);
            case EXPONENTIAL -> Backoff.exponential(base, curve.halves / 2.0);
            case FIBONACCI -> Backoff.fibonacci(base);
            case LIST ->
                Backoff.of(Arrays.stream(LIST).mapToObj(base::multipliedBy).toList());
        };
        if (curve.capNanos > 0) {
            backoff = backoff.withCap(Duration.ofNanos(curve.capNanos));
        }
        return switch (spread.jitter) {
            case FULL -> backoff.withFullJitter();
            case EQUAL -> backoff.withEqualJitter();
            case SHARE -> backoff.withJitter(spread.eighths / 8.0);
            case WIDTH -> backoff.withJitter(Duration.ofNanos(spread.widthNanos));
            default -> backoff;
        };
    }

    Budget budget(Time time) {
        return Budget.builder()
                .ratio(0)
                .minPerSecond(Math.max(0, spending.perSecond))
                .window(Duration.ofNanos(spending.windowNanos))
                .time(time)
                .build();
    }

    Retry.Builder builder(Budget budget, Time time) {
        Retry.Builder builder = Retry.builder()
                .name("retry")
                .time(time)
                .backoff(backoff())
                .random(new Constant(eighth / 8.0))
                .retryAfterCap(Duration.ofNanos(limits.hintCapNanos))
                .retryOnResult(String.class, "bad"::equals);
        if (limits.attempts == Integer.MAX_VALUE) {
            builder.unlimitedAttempts();
        } else {
            builder.attempts(limits.attempts);
        }
        if (limits.maxDurationNanos > 0) {
            builder.maxDuration(Duration.ofNanos(limits.maxDurationNanos));
        }
        return spending.perSecond < 0 ? builder.noBudget() : builder.budget(budget);
    }
}
