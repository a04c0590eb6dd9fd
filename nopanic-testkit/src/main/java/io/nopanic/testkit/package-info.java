/**
 * Tests of guarded code that run in virtual time: minutes of backoff and open circuits pass in milliseconds, the same every time. Nothing here
 * needs a test framework.
 *
 * <p>A circuit breaker opens after five failures and recovers after thirty seconds:
 *
 * <pre>{@code
 * VirtualTime time = VirtualTime.create();
 * CircuitBreaker breaker = CircuitBreaker.builder().time(time.time()).build();
 * Guarded service = ScriptedDependency.on(time).fail(5).thenSucceed("ok").guardedBy(breaker);
 * assertThat(service.call(6).get(5).error()).isInstanceOf(CircuitOpenException.class);
 * assertThat(service.callAfter(Duration.ofSeconds(30)).value()).isEqualTo("ok");
 * }</pre>
 *
 * <p>{@link io.nopanic.testkit.VirtualTime} is the clock, the timers and the waiting. To test your own code, build its policies on
 * {@link io.nopanic.testkit.VirtualTime#time()} and call it as ever.
 * {@link io.nopanic.testkit.ScriptedDependency} stands in for what it calls, {@link io.nopanic.testkit.Mode} makes one test hold for
 * blocking and asynchronous calls, and {@link io.nopanic.testkit.RecordedEvents} remembers what policies did.
 */
@NullMarked
package io.nopanic.testkit;

import org.jspecify.annotations.NullMarked;
