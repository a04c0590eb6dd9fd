package io.nopanic.benchmarks.contestants;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixThreadPoolProperties;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Hystrix, a command for each call, on the caller's thread where it can be. */
final class HystrixPeer {

    private static final String NAME = "Hystrix";
    private static final int MORE_THAN_THREADS = 2000;

    /** It looks at its counters every half second only, to decide about opening; looking more often would cost more, all the time. */
    private static final int PAUSE_MILLIS = 100;

    private static final int MOST_PAUSES = 100;

    /** It keeps what it knows of a name for the whole process, so each guard has a name of its own. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    private HystrixPeer() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, NAME, () -> guard(breaker())),
                new Contestant(Group.BREAKER_FAILING, NAME, () -> guard(breaker())),
                new Contestant(Group.BREAKER_OPEN, NAME, HystrixPeer::open),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(bulkhead(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> guard(bulkhead(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> Occupied.of(guard(bulkhead(1)))),
                new Contestant(Group.TIMEOUT, NAME, () -> guard(timeout())),
                new Contestant(Group.TIMEOUT_FAILING, NAME, () -> guard(timeout())),
                new Contestant(Group.FALLBACK, NAME, HystrixPeer::fallback),
                new Contestant(Group.FALLBACK_FAILING, NAME, HystrixPeer::fallback));
    }

    /** On the caller's thread, and without what the others do not do. */
    private static HystrixCommandProperties.Setter plain() {
        return HystrixCommandProperties.Setter()
                .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)
                .withExecutionIsolationSemaphoreMaxConcurrentRequests(MORE_THAN_THREADS)
                .withFallbackIsolationSemaphoreMaxConcurrentRequests(MORE_THAN_THREADS)
                .withExecutionTimeoutEnabled(false)
                .withCircuitBreakerEnabled(false);
    }

    private static HystrixCommandProperties.Setter breaker() {
        return plain().withCircuitBreakerEnabled(true)
                .withCircuitBreakerErrorThresholdPercentage(Settings.FAILING_PERCENT)
                .withCircuitBreakerRequestVolumeThreshold(Settings.MINIMUM_CALLS)
                .withCircuitBreakerSleepWindowInMilliseconds((int) Settings.OPEN.toMillis())
                .withMetricsRollingStatisticalWindowInMilliseconds((int) Settings.WINDOW.toMillis());
    }

    /** Opens as soon as it has looked at its counters after enough calls have failed. */
    private static Guard open() {
        Guard guard = guard(breaker());
        for (int i = 0; i < MOST_PAUSES; i++) {
            try {
                return Opened.of(guard);
            } catch (IllegalStateException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            }
        }
        throw new IllegalStateException("the breaker did not open");
    }

    private static HystrixCommandProperties.Setter bulkhead(int calls) {
        return plain().withExecutionIsolationSemaphoreMaxConcurrentRequests(calls);
    }

    /** On a thread of its pool: where Hystrix calls on the caller's thread, its timeout does not end the call. */
    private static HystrixCommandProperties.Setter timeout() {
        return plain().withExecutionIsolationStrategy(ExecutionIsolationStrategy.THREAD)
                .withExecutionTimeoutEnabled(true)
                .withExecutionTimeoutInMilliseconds((int) Settings.TIMEOUT.toMillis());
    }

    private static HystrixCommand.Setter named(HystrixCommandProperties.Setter properties) {
        return HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("group"))
                .andCommandKey(HystrixCommandKey.Factory.asKey("command" + NAMES.incrementAndGet()))
                .andCommandPropertiesDefaults(properties)
                .andThreadPoolPropertiesDefaults(
                        HystrixThreadPoolProperties.Setter().withCoreSize(Settings.CONCURRENT));
    }

    private static Guard guard(HystrixCommandProperties.Setter properties) {
        HystrixCommand.Setter named = named(properties);
        return body -> {
            try {
                return new Command(named, body).execute();
            } catch (HystrixRuntimeException wrapped) {
                if (wrapped.getCause() instanceof Work.Failure failure) {
                    throw failure;
                }
                throw wrapped;
            }
        };
    }

    private static Guard fallback() {
        HystrixCommand.Setter named = named(plain());
        return body -> new WithFallback(named, body).execute();
    }

    private static class Command extends HystrixCommand<Object> {

        private final Callable<Object> body;

        Command(Setter setter, Callable<Object> body) {
            super(setter);
            this.body = body;
        }

        @Override
        protected Object run() throws Exception {
            return body.call();
        }
    }

    private static final class WithFallback extends Command {

        WithFallback(Setter setter, Callable<Object> body) {
            super(setter, body);
        }

        @Override
        protected Object getFallback() {
            return Work.INSTEAD;
        }
    }
}
