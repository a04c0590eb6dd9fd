package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** When permits were taken, and how many of them lie together. */
final class Passing {

    private final List<Long> nanos = new ArrayList<>();

    void add(int permits, long nowNanos) {
        for (int i = 0; i < permits; i++) {
            nanos.add(nowNanos);
        }
    }

    int count() {
        return nanos.size();
    }

    List<Long> sinceNanos(long startNanos) {
        return nanos.stream().map(each -> each - startNanos).toList();
    }

    /** In no span of time more than the burst and what the rate allows for its length. */
    void assertNeverMoreThan(int burst, int permits, long periodNanos) {
        for (int from = 0; from < nanos.size(); from++) {
            for (int to = from; to < nanos.size(); to++) {
                long spanNanos = nanos.get(to) - nanos.get(from);
                long beyondBurst = to - from + 1 - burst;
                assertThat(Math.multiplyExact(beyondBurst, periodNanos))
                        .as("permits %d to %d, within %d ns", from, to, spanNanos)
                        .isLessThanOrEqualTo(Math.multiplyExact(spanNanos, permits));
            }
        }
    }

    /** The most in any half-open span of this length. */
    int mostWithin(long spanNanos) {
        int most = 0;
        for (int from = 0; from < nanos.size(); from++) {
            int to = from;
            while (to < nanos.size() && nanos.get(to) - nanos.get(from) < spanNanos) {
                to++;
            }
            most = Math.max(most, to - from);
        }
        return most;
    }
}
