package io.nopanic.stress.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** What a rate limiter has to give, by exact arithmetic. */
abstract sealed class NaiveMeter permits NaiveMeter.Bucket, NaiveMeter.RollingWindow, NaiveLeases {

    long permits;
    long periodNanos;
    /** The most that a call can have. */
    long burst;

    long nowNanos;

    NaiveMeter(LimiterRules.Pace pace, long nowNanos) {
        set(pace);
        this.nowNanos = nowNanos;
    }

    final void set(LimiterRules.Pace pace) {
        permits = pace.permits();
        periodNanos = pace.periodNanos();
        burst = pace.burst();
    }

    /** Time passes. */
    abstract void passTo(long nanos);

    /** How long until so many are there, if all that are there before go to these. */
    abstract long waitNanos(List<Integer> oneAfterTheOther);

    abstract void take(int count);

    abstract long available();

    abstract void change(LimiterRules.Pace next);

    /** Somebody waits, or asks for more than a call can have: permits that lie in several places come together. */
    void gather() {}

    /** Nobody waits. */
    void spread() {}

    /** A bucket whose content is a fraction of a permit: so many {@code periodNanos}-th of one. */
    static final class Bucket extends NaiveMeter {

        private BigInteger content;

        Bucket(LimiterRules.Pace pace, long nowNanos) {
            super(pace, nowNanos);
            content = full();
        }

        private BigInteger full() {
            return BigInteger.valueOf(burst).multiply(BigInteger.valueOf(periodNanos));
        }

        @Override
        void passTo(long nanos) {
            BigInteger refill = BigInteger.valueOf(nanos - nowNanos).multiply(BigInteger.valueOf(permits));
            content = content.add(refill).min(full());
            nowNanos = nanos;
        }

        @Override
        long waitNanos(List<Integer> oneAfterTheOther) {
            long all = oneAfterTheOther.stream().mapToLong(Integer::longValue).sum();
            BigInteger lacking = BigInteger.valueOf(all)
                    .multiply(BigInteger.valueOf(periodNanos))
                    .subtract(content);
            return lacking.signum() <= 0
                    ? 0
                    : lacking.add(BigInteger.valueOf(permits - 1))
                            .divide(BigInteger.valueOf(permits))
                            .longValueExact();
        }

        @Override
        void take(int count) {
            content = content.subtract(BigInteger.valueOf(count).multiply(BigInteger.valueOf(periodNanos)));
        }

        @Override
        long available() {
            return content.divide(BigInteger.valueOf(periodNanos)).longValueExact();
        }

        /** Puts whole permits in, as far as there is room; how many. */
        long add(long count) {
            long room = full().subtract(content)
                    .divide(BigInteger.valueOf(periodNanos))
                    .longValueExact();
            long added = Math.min(count, room);
            content = content.add(BigInteger.valueOf(added).multiply(BigInteger.valueOf(periodNanos)));
            return added;
        }

        /** Permits stay; a fraction of one is rounded down to what the new rate makes in its smallest whole parts. */
        @Override
        void change(LimiterRules.Pace next) {
            BigInteger newPeriod = BigInteger.valueOf(next.periodNanos());
            BigInteger part = newPeriod.gcd(BigInteger.valueOf(next.permits()));
            BigInteger parts = content.multiply(newPeriod.divide(part)).divide(BigInteger.valueOf(periodNanos));
            set(next);
            content = parts.multiply(part).min(full());
        }
    }

    /** A list of when each permit was taken. */
    static final class RollingWindow extends NaiveMeter {

        private List<Long> takenNanos = new ArrayList<>();

        RollingWindow(LimiterRules.Pace pace, long nowNanos) {
            super(pace, nowNanos);
        }

        @Override
        void passTo(long nanos) {
            nowNanos = nanos;
        }

        private static long inPeriod(List<Long> taken, long atNanos, long periodNanos) {
            return taken.stream().filter(each -> atNanos - each < periodNanos).count();
        }

        @Override
        long waitNanos(List<Integer> oneAfterTheOther) {
            List<Long> taken = new ArrayList<>(takenNanos);
            long atNanos = nowNanos;
            for (int count : oneAfterTheOther) {
                while (inPeriod(taken, atNanos, periodNanos) + count > permits) {
                    atNanos = nextExpiryNanos(taken, atNanos);
                }
                for (int i = 0; i < count; i++) {
                    taken.add(atNanos);
                }
            }
            return atNanos - nowNanos;
        }

        private long nextExpiryNanos(List<Long> taken, long afterNanos) {
            return taken.stream()
                    .filter(each -> afterNanos - each < periodNanos)
                    .map(each -> each + periodNanos)
                    .min((a, b) -> Long.signum(a - b))
                    .orElseThrow();
        }

        @Override
        void take(int count) {
            for (int i = 0; i < count; i++) {
                takenNanos.add(nowNanos);
            }
        }

        @Override
        long available() {
            return Math.max(0, permits - inPeriod(takenNanos, nowNanos, periodNanos));
        }

        /** What the smaller number of the two remembers still counts. */
        @Override
        void change(LimiterRules.Pace next) {
            int kept = (int) Math.min(takenNanos.size(), Math.min(permits, next.permits()));
            takenNanos = new ArrayList<>(takenNanos.subList(takenNanos.size() - kept, takenNanos.size()));
            set(next);
        }
    }
}
