/**
 * Making a failed call again: when, how often, and when not to.
 *
 * <p>{@link io.nopanic.retry.Retry} decides, {@link io.nopanic.retry.Backoff} says how long to wait in between, and a
 * {@link io.nopanic.budget.Budget} keeps all retries together from becoming the load that the dependency dies of.
 */
@NullMarked
package io.nopanic.retry;

import org.jspecify.annotations.NullMarked;
