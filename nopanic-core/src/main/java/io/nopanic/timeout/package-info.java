/**
 * The timeout: how long a call may take.
 *
 * <p>{@link io.nopanic.timeout.Timeout} only says how long, and what is to become of a call that takes longer. The engine keeps the time,
 * interrupts, cancels or leaves behind, and raises {@link io.nopanic.outcome.TimeoutExceededException}.
 */
@NullMarked
package io.nopanic.timeout;

import org.jspecify.annotations.NullMarked;
