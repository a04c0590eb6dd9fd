package io.nopanic.benchmarks.contestants;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.alibaba.csp.sentinel.slots.clusterbuilder.ClusterBuilderSlot;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Sentinel, through its entries, which count much more than their rules ask for. */
final class SentinelPeer {

    private static final String NAME = "Sentinel";

    /** It keeps what it knows of a name for the whole process, so each guard has a name of its own. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    private SentinelPeer() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, NAME, SentinelPeer::breaker),
                new Contestant(Group.BREAKER_SLOW, NAME, SentinelPeer::slowCalls),
                new Contestant(Group.BREAKER_FAILING, NAME, SentinelPeer::breaker),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(breaker())),
                new Contestant(Group.LIMITER, NAME, () -> limited(RuleConstant.FLOW_GRADE_QPS, Settings.PLENTY)),
                new Contestant(
                        Group.LIMITER_FAILING, NAME, () -> limited(RuleConstant.FLOW_GRADE_QPS, Settings.PLENTY)),
                new Contestant(Group.LIMITER_EMPTY, NAME, () -> limited(RuleConstant.FLOW_GRADE_QPS, 0)),
                new Contestant(Group.BULKHEAD, NAME, () -> bulkhead(Settings.CONCURRENT)),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> bulkhead(Settings.CONCURRENT)),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> Occupied.of(bulkhead(1))));
    }

    private static String unique() {
        return "resource" + NAMES.incrementAndGet();
    }

    private static DegradeRule rule(String resource, int grade) {
        return new DegradeRule(resource)
                .setGrade(grade)
                .setMinRequestAmount(Settings.MINIMUM_CALLS)
                .setStatIntervalMs((int) Settings.WINDOW.toMillis())
                .setTimeWindow((int) Settings.OPEN.toSeconds());
    }

    private static Guard breaker() {
        return guard(withBreaker());
    }

    /** The name of something new with a breaker. */
    static String withBreaker() {
        String resource = unique();
        DegradeRule rule =
                rule(resource, RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO).setCount(Settings.FAILING);
        DegradeRuleManager.setRulesForResource(resource, Set.of(rule));
        return resource;
    }

    /** What it counts about a name, and the breakers of that. They are not public. */
    static Object state(String resource) {
        try {
            SphU.entry(resource).exit();
            Method breakers = DegradeRuleManager.class.getDeclaredMethod("getCircuitBreakers", String.class);
            breakers.setAccessible(true);
            return List.of(ClusterBuilderSlot.getClusterNode(resource), breakers.invoke(null, resource));
        } catch (BlockException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One rule looks for one thing; for failures and slow calls it takes two. */
    private static Guard slowCalls() {
        String resource = unique();
        DegradeRule failing =
                rule(resource, RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO).setCount(Settings.FAILING);
        DegradeRule slow = rule(resource, RuleConstant.DEGRADE_GRADE_RT)
                .setCount((double) Settings.TIMEOUT.toMillis())
                .setSlowRatioThreshold(Settings.FAILING);
        DegradeRuleManager.setRulesForResource(resource, Set.of(failing, slow));
        return guard(resource);
    }

    private static Guard bulkhead(int calls) {
        return limited(RuleConstant.FLOW_GRADE_THREAD, calls);
    }

    private static Guard limited(int grade, int count) {
        String resource = unique();
        FlowRule rule = new FlowRule(resource).setGrade(grade).setCount(count);
        FlowRuleManager.loadRules(List.of(rule));
        return guard(resource);
    }

    static Guard guard(String resource) {
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
}
