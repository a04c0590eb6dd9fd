package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BucketTest {

    private static final long SECOND = 1_000_000_000L;

    /** So near to the overflow of the clock that every test passes it. */
    private static final long START = Long.MAX_VALUE - 3;

    private static Bucket bucket(int permits, long periodNanos, int burst) {
        return new Bucket(Pace.exact(permits, periodNanos, burst), START);
    }

    private static int takeAll(Bucket bucket, long nowNanos) {
        int taken = 0;
        while (bucket.tryTake(1, nowNanos)) {
            taken++;
        }
        return taken;
    }

    @Test
    void startsFullAndThenRefillsContinuously() {
        Bucket bucket = bucket(10, SECOND, 10);
        assertThat(takeAll(bucket, START)).isEqualTo(10);
        assertThat(bucket.tryTake(1, START + SECOND / 10 - 1)).isFalse();
        assertThat(bucket.tryTake(1, START + SECOND / 10)).isTrue();
        assertThat(bucket.tryTake(1, START + SECOND / 10)).isFalse();
        assertThat(takeAll(bucket, START + SECOND / 10 * 4)).isEqualTo(3);
    }

    @Test
    void keepsTheExactFractionOfAnInterval() {
        Bucket bucket = bucket(3, 10 * SECOND, 3);
        takeAll(bucket, START);
        assertThat(bucket.takeOrWaitNanos(1, START)).isEqualTo(3_333_333_334L);
        assertThat(bucket.tryTake(1, START + 3_333_333_333L)).isFalse();
        assertThat(bucket.tryTake(1, START + 3_333_333_334L)).isTrue();
        assertThat(bucket.tryTake(1, START + 6_666_666_666L)).isFalse();
        assertThat(bucket.tryTake(1, START + 6_666_666_667L)).isTrue();
        assertThat(bucket.tryTake(1, START + 10 * SECOND - 1)).isFalse();
        assertThat(bucket.tryTake(1, START + 10 * SECOND)).isTrue();
    }

    @Test
    void doesNotDriftOverDays() {
        // 7 per second, taken as soon as they are there; with a whole number of nanoseconds per permit this would end
        // off by 86,400 ns.
        Bucket bucket = bucket(7, SECOND, 2);
        long nowNanos = START;
        assertThat(bucket.tryTake(2, nowNanos)).isTrue();
        for (int i = 0; i < 7 * 86_400; i++) {
            nowNanos += bucket.takeOrWaitNanos(1, nowNanos);
            assertThat(bucket.tryTake(1, nowNanos)).isTrue();
        }
        assertThat(nowNanos - START).isEqualTo(Duration.ofDays(1).toNanos());
    }

    @Test
    void timeWhileFullEarnsNothing() {
        Bucket bucket = bucket(10, SECOND, 10);
        long later = START + 3_600 * SECOND;
        assertThat(takeAll(bucket, later)).isEqualTo(10);
        assertThat(bucket.tryTake(10, later)).isFalse();
        assertThat(takeAll(bucket, later + SECOND / 2)).isEqualTo(5);
    }

    @Test
    void neverPassesMoreThanTheBurstAndTheRateInAnySpan() {
        Bucket bucket = bucket(15, 60 * SECOND, 15);
        Passing passing = new Passing();
        for (long nanos = 40 * SECOND; nanos < 220 * SECOND; nanos += SECOND / 3) {
            while (bucket.tryTake(1, START + nanos)) {
                passing.add(1, START + nanos);
            }
        }
        passing.assertNeverMoreThan(15, 15, 60 * SECOND);
        assertThat(passing.mostWithin(60 * SECOND)).isBetween(29, 30);
    }

    @Test
    void aPartlyFilledBucketGivesWhatItHasAndNoMore() {
        Bucket bucket = bucket(5, SECOND, 5);
        assertThat(bucket.tryTake(6, START)).isFalse();
        assertThat(bucket.tryTake(3, START)).isTrue();
        assertThat(bucket.tryTake(3, START)).isFalse();
        assertThat(bucket.tryTake(2, START)).isTrue();
        bucket.close();
        assertThat(bucket.available(START)).isZero();
        assertThat(bucket.take(1, START)).isFalse();
    }

    @Test
    void askingForMoreThanTheBurstNeverOverflowsIntoAGrant() {
        Bucket bucket = bucket(1, 5 * SECOND, 1);
        for (int permits : new int[] {2, 1 << 20, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
            assertThat(bucket.tryTake(permits, START)).as("%d permits", permits).isFalse();
        }
        bucket.close();
        long last = 0;
        for (long permits = 1; permits > 0; permits *= 2) {
            long waitNanos = bucket.waitNanos(permits, START);
            assertThat(waitNanos).as("wait for %d permits", permits).isGreaterThanOrEqualTo(last);
            last = waitNanos;
        }
        bucket.open();
        assertThat(bucket.tryTake(1, START)).isTrue();
        assertThat(bucket.tryTake(1, START)).isFalse();
    }

    @Test
    void isRightForTheSmallestAndTheLargestNumbers() {
        int[] permits = {1, 2, 3, 7, 997, 1_000_003, 999_999_937, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};
        long[] periods = {1, 2, 3, 900_000, SECOND, 60 * SECOND, 86_400 * SECOND, Pace.MAX_NANOS};
        for (int each : permits) {
            for (long period : periods) {
                Bucket bucket = bucket(each, period, each);
                String as = each + " per " + period + " ns";
                assertThat(bucket.tryTake(each, START)).as(as).isTrue();
                assertThat(bucket.tryTake(1, START)).as(as).isFalse();
                long waitNanos = bucket.takeOrWaitNanos(each, START);
                assertThat(waitNanos).as(as).isBetween(period, period + period / 1_000_000 + 1);
                bucket.close();
                assertThat(bucket.take(each, START + waitNanos - 1)).as(as).isFalse();
                assertThat(bucket.take(each, START + waitNanos)).as(as).isTrue();
            }
        }
    }

    @Test
    void neverPassesMoreThanAskedForWhereTheExactFractionDoesNotFit() {
        // 2^31 - 1 is prime: an exact unit would need 2^31 * 2^41.7 of itself for a full bucket.
        Bucket bucket = bucket(Integer.MAX_VALUE, 3_600 * SECOND, Integer.MAX_VALUE);
        assertThat(bucket.tryTake(Integer.MAX_VALUE, START)).isTrue();
        bucket.close();
        long lowerNanos = 3_600 * SECOND;
        assertThat(bucket.waitNanos(Integer.MAX_VALUE, START))
                .isBetween(lowerNanos, lowerNanos + lowerNanos / 100_000_000);
    }

    @Test
    void staysRightWhenTheUnitRunsOutOfRange() {
        // With this rate a word tells about five seconds, so the bucket starts counting anew many times.
        int prime = 499_999_993;
        Bucket bucket = bucket(prime, SECOND, prime);
        assertThat(bucket.tryTake(prime, START)).isTrue();
        long nowNanos = START;
        for (int i = 0; i < 100; i++) {
            nowNanos += SECOND / 2;
            bucket.close();
            assertThat(bucket.take(prime / 2 + i % 2, nowNanos)).isTrue();
            assertThat(bucket.take(1, nowNanos)).isFalse();
            bucket.open();
        }
        nowNanos += 10_000 * SECOND;
        bucket.close();
        assertThat(bucket.take(prime, nowNanos)).isTrue();
        assertThat(bucket.take(1, nowNanos)).isFalse();
    }

    @Test
    void isFullAfterTheLongestQuietTime() {
        Bucket bucket = bucket(7, SECOND, 7);
        takeAll(bucket, START);
        long years = 40L * 365 * 86_400 * SECOND;
        bucket.close();
        assertThat(bucket.available(START + years)).isEqualTo(7);
        assertThat(bucket.take(7, START + years)).isTrue();
        assertThat(bucket.take(1, START + years)).isFalse();
    }

    @Test
    void aClockThatStepsBackBetweenThreadsGivesNothingAway() {
        Bucket bucket = bucket(10, SECOND, 10);
        Passing passing = new Passing();
        Random random = new Random(7);
        long nowNanos = START;
        for (int i = 0; i < 20_000; i++) {
            nowNanos += random.nextInt(2_000_000);
            long seenNanos = nowNanos - random.nextInt(50_000);
            if (bucket.tryTake(1, seenNanos)) {
                passing.add(1, nowNanos);
            }
        }
        // At the latest readings, so with the whole error against it.
        assertThat(passing.count()).isLessThanOrEqualTo(10 + (int) ((nowNanos - START) / (SECOND / 10)));
    }

    @Test
    void aClockThatStepsBackFarDoesNotStopItForEver() {
        Bucket bucket = bucket(Integer.MAX_VALUE, SECOND, 1);
        assertThat(bucket.tryTake(1, START)).isTrue();
        bucket.close();
        long hourBefore = START - 3_600 * SECOND;
        bucket.take(1, hourBefore);
        assertThat(bucket.take(1, hourBefore + 10)).isTrue();
    }

    @Test
    void agreesWithAModelInFractions() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int permits = 1 + random.nextInt(random.nextBoolean() ? 20 : 100_000);
            long periodNanos = 1 + (long) (Math.pow(10, 1 + random.nextInt(11)) * random.nextDouble());
            int burst = 1 + random.nextInt(30);
            Bucket bucket = bucket(permits, periodNanos, burst);
            Model model = new Model(permits, periodNanos, burst);
            long intervalNanos = Math.max(1, periodNanos / permits);
            long nowNanos = START;
            for (int i = 0; i < 500; i++) {
                nowNanos += (long) (intervalNanos * random.nextDouble() * (random.nextInt(20) == 0 ? 100 : 3));
                int wanted = 1 + random.nextInt(burst);
                assertThat(bucket.tryTake(wanted, nowNanos))
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(model.take(wanted, nowNanos));
            }
        }
    }

    @Test
    void permitsGivenBackNeverMakeMoreThanThereWouldHaveBeenWithoutThem() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            Bucket bucket = bucket(1, 10, 3);
            bucket.close();
            Model without = new Model(1, 10, 3);
            long[] marks = new long[3];
            boolean[] out = new boolean[3];
            long nowNanos = START;
            for (int i = 0; i < 60; i++) {
                nowNanos += random.nextInt(12);
                int which = random.nextInt(3);
                if (out[which]) {
                    bucket.giveBack(1, marks[which], nowNanos);
                    out[which] = false;
                } else if (random.nextInt(3) == 0 && bucket.take(1, nowNanos)) {
                    marks[which] = bucket.mark();
                    out[which] = true;
                } else if (bucket.take(1, nowNanos)) {
                    assertThat(without.take(1, nowNanos))
                            .as("seed %d, step %d", seed, i)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void permitsGivenBackAtOnceAreThereAgain() {
        Bucket bucket = bucket(1, SECOND, 2);
        bucket.close();
        assertThat(bucket.take(2, START)).isTrue();
        long mark = bucket.mark();
        bucket.giveBack(2, mark, START);
        assertThat(bucket.available(START)).isEqualTo(2);
        assertThat(bucket.take(2, START)).isTrue();
        assertThat(bucket.take(1, START)).isFalse();
    }

    @Test
    void permitsGivenBackTooLateAreNotAddedToAFullBucket() {
        Bucket bucket = bucket(1, SECOND, 1);
        bucket.close();
        assertThat(bucket.take(1, START)).isTrue();
        long mark = bucket.mark();
        assertThat(bucket.take(1, START + 5 * SECOND)).isTrue();
        bucket.giveBack(1, mark, START + 5 * SECOND);
        assertThat(bucket.take(1, START + 5 * SECOND)).isFalse();
    }

    /** Tokens as a fraction: {@code tokens / periodNanos}. */
    private static final class Model {

        private final BigInteger permits;
        private final BigInteger period;
        private final BigInteger full;
        private BigInteger tokens;
        private long lastNanos = START;

        Model(int permits, long periodNanos, int burst) {
            this.permits = BigInteger.valueOf(permits);
            period = BigInteger.valueOf(periodNanos);
            full = period.multiply(BigInteger.valueOf(burst));
            tokens = full;
        }

        boolean take(int wanted, long nowNanos) {
            tokens = tokens.add(permits.multiply(BigInteger.valueOf(nowNanos - lastNanos)))
                    .min(full);
            lastNanos = nowNanos;
            BigInteger cost = period.multiply(BigInteger.valueOf(wanted));
            if (tokens.compareTo(cost) < 0) {
                return false;
            }
            tokens = tokens.subtract(cost);
            return true;
        }
    }
}
