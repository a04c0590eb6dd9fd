package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the incidents in a log that does not tell them, by a two-sided CUSUM on the outcomes of each key: the log-likelihood ratio of an incident (failure rate
 * {@code p1 = max(0.3, 5 p0)}) against the ordinary ({@code p0}) is added up call by call, not below zero. When the sum reaches the threshold there is an
 * incident, and it began with the first call after the sum was last zero. Then the same the other way round finds its end, behind the last call at which
 * the sum was zero. Each key has a {@code p0} of its own.
 *
 * <p>The threshold is the logarithm of the number of calls of all keys, but not below that of {@value #FEWEST_CALLS}: then outcomes that are independent of each
 * other and fail at {@code p0} show at most about one incident where there is none, because the mean time to a false alarm of a CUSUM is at least the exponential
 * of its threshold (Lorden, 1971). Not thread-safe.
 */
final class Segmentation {

    private static final double FEWEST_CALLS = 10_000;
    private static final double LEAST_HEALTHY = 0.001;
    private static final double LEAST_BAD = 0.3;
    private static final double MOST_BAD = 0.95;
    private static final double TIMES_WORSE = 5;

    private final double threshold;
    private final Course[] courses;

    /**
     * Takes what it is like when nothing is wrong.
     *
     * @param healthy the failure rate then, of each key
     * @param calls how many there are in the log
     */
    Segmentation(double[] healthy, long calls) {
        threshold = Math.log(Math.max(FEWEST_CALLS, (double) calls));
        courses = Arrays.stream(healthy)
                .mapToObj(p0 -> new Course(Evidence.against(p0)))
                .toArray(Course[]::new);
    }

    /** What an incident is if an ordinary call fails as often as this. */
    Survey.Criterion criterion(double healthy) {
        Evidence evidence = Evidence.against(healthy);
        return new Survey.Criterion(evidence.p0, (int) Math.ceil(threshold / evidence.ofFailure));
    }

    /** The next call; starts do not go back. */
    void add(int key, long startNanos, Ending ending) {
        if (ending != Ending.IGNORED) {
            courses[key].add(startNanos, ending.isFailed());
        }
    }

    /** The incidents of each key. */
    List<List<Span>> finish() {
        List<List<Span>> byKey = new ArrayList<>();
        for (Course course : courses) {
            byKey.add(course.finish());
        }
        return byKey;
    }

    /** What a failure and a success are worth against an ordinary rate. */
    private record Evidence(double p0, double ofFailure, double ofSuccess) {

        static Evidence against(double healthy) {
            double p0 = Math.max(LEAST_HEALTHY, Math.min(OrdinaryRate.MOST, healthy));
            double p1 = Math.min(MOST_BAD, Math.max(LEAST_BAD, TIMES_WORSE * p0));
            return new Evidence(p0, Math.log(p1 / p0), Math.log((1 - p1) / (1 - p0)));
        }
    }

    private final class Course {

        private final Evidence against;
        private final List<Span> found = new ArrayList<>();
        private boolean inIncident;
        private double sum;
        private long beginNanos;
        private long lastBadNanos;

        Course(Evidence against) {
            this.against = against;
        }

        void add(long startNanos, boolean failed) {
            double evidence = failed ? against.ofFailure : against.ofSuccess;
            if (inIncident) {
                sum -= evidence;
                if (sum <= 0) {
                    sum = 0;
                    lastBadNanos = startNanos;
                } else if (sum >= threshold) {
                    end();
                }
            } else {
                if (sum == 0) {
                    beginNanos = startNanos;
                }
                sum = Math.max(0, sum + evidence);
                if (sum >= threshold) {
                    inIncident = true;
                    sum = 0;
                    lastBadNanos = startNanos;
                }
            }
        }

        private void end() {
            found.add(new Span(beginNanos, lastBadNanos + 1));
            inIncident = false;
            sum = 0;
        }

        List<Span> finish() {
            if (inIncident) {
                end();
            }
            return found;
        }
    }
}
