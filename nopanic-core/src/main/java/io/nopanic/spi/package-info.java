/**
 * What a policy is to the engine: one of five shapes. The policies of nopanic implement exactly these interfaces, and so can
 * yours.
 *
 * <p>A policy decides and the engine acts. A policy never calls the guarded code, sleeps, schedules, starts a thread or reads a
 * clock: time comes in as nanoseconds of a monotonic clock that are compared by difference only. All methods must be
 * thread-safe, must not throw, and must not block.
 */
@NullMarked
package io.nopanic.spi;

import org.jspecify.annotations.NullMarked;
