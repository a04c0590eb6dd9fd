package io.nopanic.benchmarks.contestants;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixThreadPoolProperties;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Sentinel and Hystrix, which do much more per call than guard it. */
final class Veterans {

    private static final String SENTINEL = "Sentinel";
    private static final String HYSTRIX = "Hystrix";
    private static final int MORE_THAN_THREADS = 2000;

    /** Both keep what they know of a name for the whole process, so each guard has a name of its own. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    private Veterans() {}

    private static String unique(String name) {
        return name + NAMES.incrementAndGet();
    }

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, SENTINEL, Veterans::sentinel),
                new Contestant(Group.BREAKER_FAILING, SENTINEL, Veterans::sentinel),
                new Contestant(Group.BREAKER_OPEN, SENTINEL, () -> Opened.of(sentinel())),
                new Contestant(Group.BREAKER, HYSTRIX, Veterans::hystrixBreaker),
                new Contestant(Group.BREAKER_FAILING, HYSTRIX, Veterans::hystrixBreaker),
                new Contestant(Group.TIMEOUT, HYSTRIX, Veterans::hystrixTimeout));
    }

    private static Guard sentinel() {
        String resource = unique("resource");
        DegradeRule rule = new DegradeRule(resource)
                .setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO)
                .setCount(Settings.FAILING)
                .setMinRequestAmount(Settings.MINIMUM_CALLS)
                .setStatIntervalMs((int) Settings.WINDOW.toMillis())
                .setTimeWindow((int) Settings.OPEN.toSeconds());
        DegradeRuleManager.loadRules(List.of(rule));
        return body -> {
            Entry entry = SphU.entry(resource);
            try {
                return body.call();
            } catch (Exception e) {
                Tracer.traceEntry(e, entry);
                throw e;
            } finally {
                entry.exit();
            }
        };
    }

    private static Guard hystrixBreaker() {
        return hystrix(
                "breaker",
                HystrixCommandProperties.Setter()
                        .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)
                        .withExecutionIsolationSemaphoreMaxConcurrentRequests(MORE_THAN_THREADS)
                        .withExecutionTimeoutEnabled(false)
                        .withCircuitBreakerErrorThresholdPercentage(Settings.FAILING_PERCENT)
                        .withCircuitBreakerRequestVolumeThreshold(Settings.MINIMUM_CALLS)
                        .withCircuitBreakerSleepWindowInMilliseconds((int) Settings.OPEN.toMillis())
                        .withMetricsRollingStatisticalWindowInMilliseconds((int) Settings.WINDOW.toMillis()));
    }

    /** On a thread of its pool: where Hystrix calls on the caller's thread, its timeout does not end the call. */
    private static Guard hystrixTimeout() {
        return hystrix(
                "timeout",
                HystrixCommandProperties.Setter()
                        .withExecutionIsolationStrategy(ExecutionIsolationStrategy.THREAD)
                        .withCircuitBreakerEnabled(false)
                        .withExecutionTimeoutInMilliseconds((int) Settings.TIMEOUT.toMillis()));
    }

    private static Guard hystrix(String key, HystrixCommandProperties.Setter properties) {
        HystrixCommand.Setter setter = HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("group"))
                .andCommandKey(HystrixCommandKey.Factory.asKey(unique(key)))
                .andCommandPropertiesDefaults(properties)
                .andThreadPoolPropertiesDefaults(
                        HystrixThreadPoolProperties.Setter().withCoreSize(Settings.CONCURRENT));
        return body -> {
            try {
                return new Command(setter, body).execute();
            } catch (HystrixRuntimeException wrapped) {
                if (wrapped.getCause() instanceof Work.Failure failure) {
                    throw failure;
                }
                throw wrapped;
            }
        };
    }

    private static final class Command extends HystrixCommand<Object> {

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
}
