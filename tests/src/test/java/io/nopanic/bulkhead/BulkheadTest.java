package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nopanic.events.Event;
import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.testkit.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkheadTest {

    @Test
    void letsInUpToTheLimitAndRefusesTheNextAtOnce() {
        Bulkhead bulkhead = Bulkhead.of(2);
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
        assertThat(bulkhead.available()).isEqualTo(1);
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
        assertThat(bulkhead.inUse()).isEqualTo(2);
        assertThat(bulkhead.available()).isZero();
        assertThat(bulkhead.tryAcquire(0)).isEqualTo(Admission.NOT_NOW);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        assertThat(bulkhead.inUse()).isEqualTo(2);
        assertThat(bulkhead.queued()).isZero();
    }

    @Test
    void letsInTheNextWhenACallHasEnded() {
        Bulkhead bulkhead = Bulkhead.of(1);
        Caller first = Caller.at(bulkhead);
        assertThat(first.release()).isNull();
        assertThat(bulkhead.inUse()).isZero();
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
    }

    @Test
    void getsThePermitBackHoweverACallEnds() {
        Bulkhead bulkhead = Bulkhead.of(1);
        List<Throwable> ends = List.of(
                new IOException(),
                new IllegalStateException(),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new InterruptedException(),
                new CancellationException(),
                new BulkheadFullException("inner", "checkout", 1, 0, 0));
        for (Throwable end : ends) {
            assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
            assertThat(bulkhead.settle(0, 0, 0, null, end)).isNull();
            assertThat(bulkhead.available()).as("after %s", end).isEqualTo(1);
        }
    }

    @Test
    void getsThePermitBackWhenTheCallCouldNotBeStarted() {
        Bulkhead bulkhead = Bulkhead.of(1);
        assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
        bulkhead.settle(0, 0, 0, null, new RejectedExecutionException("the executor is full"));
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
        bulkhead.settle(0, 0, 0, null, new OutOfMemoryError("unable to create native thread"));
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void countsBlockingAndAsynchronousCallsTogether() {
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(2).maxQueued(1).build();
        Caller firstThread = Caller.at(bulkhead);
        assertThat(firstThread.isIn()).isTrue();
        assertThat(Caller.at(bulkhead).isIn()).as("second thread").isTrue();
        Caller stage = Caller.at(bulkhead);
        assertThat(stage.waits()).as("stage").isTrue();
        assertThat(Caller.at(bulkhead).isRefused()).as("third thread").isTrue();
        assertThat(firstThread.release()).isSameAs(stage);
        assertThat(stage.check(0)).isZero();
        assertThat(bulkhead.inUse()).isEqualTo(2);
    }

    @Test
    void saysWhyItRefused() {
        Bulkhead bulkhead = Bulkhead.builder()
                .name("inventory")
                .maxConcurrent(1)
                .maxQueued(1)
                .maxWait(Duration.ofMillis(20))
                .build();
        Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead, 5_000_000);
        RejectedException full = Caller.at(bulkhead).refusal();
        assertThat(full)
                .isInstanceOf(BulkheadFullException.class)
                .hasMessage("all 1 permits are in use and the queue of 1 has no place"
                        + " [policy 'inventory', pipeline 'checkout']");
        assertThat(full.policy()).isEqualTo("inventory");
        assertThat(full.pipeline()).isEqualTo("checkout");
        assertThat(full.retryAfter()).isEmpty();
        assertThat(((BulkheadFullException) full).waited()).isZero();
        assertThat(((BulkheadFullException) full).maxConcurrent()).isEqualTo(1);

        waiter.check(27_000_000);
        BulkheadFullException late = (BulkheadFullException) waiter.refusal();
        assertThat(late)
                .hasMessage(
                        "none of 1 permits came free within PT0.022S" + " [policy 'inventory', pipeline 'checkout']");
        assertThat(late.waited()).isEqualTo(Duration.ofMillis(22));
        assertThat(Caller.at(Bulkhead.of(1)).isIn()).isTrue();
    }

    @Test
    void refusesWithANewExceptionWithoutStackTraceEveryTime() {
        Bulkhead bulkhead = Bulkhead.of(1);
        Caller.at(bulkhead);
        Map<Throwable, Boolean> seen = new IdentityHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            RejectedException refusal = Caller.at(bulkhead).refusal();
            refusal.addSuppressed(new IllegalStateException("the caller's"));
            assertThat(refusal.getSuppressed()).isEmpty();
            assertThat(refusal.getStackTrace()).isEmpty();
            seen.put(refusal, true);
        }
        assertThat(seen).hasSize(10_000);
    }

    @Test
    void refusalCanBeSerialized() throws Exception {
        Throwable refusal = new BulkheadFullException("inventory", "checkout", 7, 3, 42);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(refusal);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            BulkheadFullException copy = (BulkheadFullException) in.readObject();
            assertThat(copy).hasMessage(refusal.getMessage());
            assertThat(copy.policy()).isEqualTo("inventory");
            assertThat(copy.maxConcurrent()).isEqualTo(7);
            assertThat(copy.waited()).isEqualTo(Duration.ofNanos(42));
        }
    }

    @Test
    void tellsListenersOfRefusalsAndHowLongTheyHadWaited() {
        VirtualTime time = VirtualTime.create();
        Bulkhead bulkhead = Bulkhead.builder()
                .name("inventory")
                .time(time.time())
                .maxConcurrent(1)
                .maxQueued(1)
                .maxWait(Duration.ofNanos(20))
                .build();
        List<Event> events = new ArrayList<>();
        bulkhead.events().subscribe(events::add);
        Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead, 100);
        assertThat(events).isEmpty();
        Caller.at(bulkhead, 110);
        waiter.check(125);
        assertThat(events)
                .containsExactly(
                        new Event.BulkheadRefused(
                                new Event.Stamp("inventory", 110, time.time().wallTime()), 0),
                        new Event.BulkheadRefused(
                                new Event.Stamp("inventory", 125, time.time().wallTime()), 25));
    }

    @Test
    void losesNoPermitWhenAListenerThrows() {
        for (Throwable thrown : List.of(new IllegalStateException("listener"), new AssertionError("listener"))) {
            Bulkhead bulkhead = Bulkhead.builder()
                    .maxConcurrent(1)
                    .maxQueued(1)
                    .maxWait(Duration.ofNanos(20))
                    .build();
            bulkhead.events().subscribe(event -> sneak(thrown));
            Caller holder = Caller.at(bulkhead);
            Caller waiter = Caller.at(bulkhead);
            assertThat(Caller.at(bulkhead).isRefused()).isTrue();
            assertThat(waiter.check(20)).isNegative();
            assertThat(holder.release()).isNull();
            assertThat(bulkhead.available()).isEqualTo(1);
            assertThat(Caller.at(bulkhead).isIn()).isTrue();
        }
    }

    @Test
    void aListenerMayUseTheBulkheadItListensTo() {
        Bulkhead bulkhead = Bulkhead.of(1);
        List<Integer> seen = new ArrayList<>();
        bulkhead.events().subscribe(event -> {
            seen.add(bulkhead.inUse());
            bulkhead.resize(2, 0);
        });
        Caller.at(bulkhead);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        assertThat(seen).containsExactly(1);
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
    }

    @Test
    void neitherReadsTheTimeNorJudgesOutcomes() {
        Bulkhead bulkhead = Bulkhead.of(3);
        assertThat(bulkhead.readsTimeOnEntry()).isFalse();
        assertThat(bulkhead.readsTimeOnSettle()).isFalse();
        assertThat(bulkhead.judgesOutcomes()).isFalse();
        assertThat(bulkhead.concurrencyLimit()).isEqualTo(3);
    }

    @Test
    void allocatesNothingWhileNobodyWaits() {
        Bulkhead bulkhead = Bulkhead.of(10);
        passThrough(bulkhead, 20_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        passThrough(bulkhead, 300_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).as("bytes for 300,000 calls").isLessThan(300_000);
    }

    @Test
    void describesItsLimits() {
        assertThat(Bulkhead.of(10).describe()).isEqualTo("at most 10 at once, no queue");
        assertThat(Bulkhead.builder().maxConcurrent(10).maxQueued(5).build().describe())
                .isEqualTo("at most 10 at once, 5 more wait without limit");
        assertThat(Bulkhead.builder()
                        .maxConcurrent(10)
                        .maxQueued(5)
                        .maxWait(Duration.ofMillis(500))
                        .build()
                        .describe())
                .isEqualTo("at most 10 at once, 5 more wait up to PT0.5S");
    }

    @Test
    void hasAName() {
        assertThat(Bulkhead.builder().name("inventory").maxConcurrent(1).build())
                .hasToString("bulkhead 'inventory'");
        assertThat(Bulkhead.of(1).name())
                .startsWith("bulkhead-")
                .isNotEqualTo(Bulkhead.of(1).name());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, -100, Integer.MIN_VALUE})
    void refusesALimitBelowOne(int limit) {
        assertThatThrownBy(() -> Bulkhead.of(limit))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxConcurrent is " + limit + ", allowed is a whole number of at least 1");
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(5).maxQueued(4).build();
        assertThatThrownBy(() -> bulkhead.resize(limit, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bulkhead.available()).isEqualTo(5);
        assertThat(bulkhead.maxQueued()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -100, Integer.MIN_VALUE})
    void refusesAQueueBelowZero(int length) {
        assertThatThrownBy(() -> Bulkhead.builder().maxQueued(length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxQueued is " + length + ", allowed is a whole number of at least 0");
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(5).maxQueued(4).build();
        assertThatThrownBy(() -> bulkhead.resize(1, length)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bulkhead.maxConcurrent()).isEqualTo(5);
        assertThat(bulkhead.maxQueued()).isEqualTo(4);
    }

    @Test
    void refusesAWaitOfNoLength() {
        for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> Bulkhead.builder().maxWait(wait))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("maxWait is " + wait + ", allowed is a duration longer than zero");
        }
    }

    @Test
    void refusesToBuildWhatCannotWork() {
        assertThatThrownBy(() -> Bulkhead.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConcurrent is not set");
        assertThatThrownBy(() -> Bulkhead.builder()
                        .maxConcurrent(1)
                        .maxWait(Duration.ofMillis(500))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxWait is PT0.5S")
                .hasMessageContaining("maxQueued");
        assertThat(Bulkhead.builder()
                        .maxConcurrent(1)
                        .maxQueued(0)
                        .maxWait(Duration.ofMillis(500))
                        .build()
                        .maxQueued())
                .as("a queue that was turned off on purpose")
                .isZero();
    }

    @Test
    void takesTheLargestLimits() {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(Integer.MAX_VALUE)
                .maxQueued(Integer.MAX_VALUE)
                .maxWait(Duration.ofSeconds(Long.MAX_VALUE))
                .build();
        assertThat(bulkhead.available()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
        assertThat(bulkhead.available()).isEqualTo(Integer.MAX_VALUE - 1);
        bulkhead.resize(1, Integer.MAX_VALUE);
        Caller waiter = Caller.at(bulkhead, Long.MAX_VALUE);
        assertThat(waiter.check(Long.MAX_VALUE)).isPositive();
        assertThat(waiter.check(Long.MIN_VALUE + 1_000))
                .as("after the clock has overflowed")
                .isPositive();
    }

    private static void passThrough(Bulkhead bulkhead, int calls) {
        for (int i = 0; i < calls; i++) {
            long permit = bulkhead.tryAcquire(0);
            bulkhead.settle(permit, 0, 0, null, null);
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
