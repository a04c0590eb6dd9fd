/**
 * The bulkhead: at most so many calls to one dependency at one time, so that a slow one cannot take every thread, connection and
 * byte of memory with it. The name is that of a ship's watertight wall.
 *
 * <p>{@link io.nopanic.bulkhead.Bulkhead} is what is used. Behind it stand the count of permits, which decides nearly every call with
 * one atomic operation, and the queue of those who wait, which has a lock.
 */
@NullMarked
package io.nopanic.bulkhead;

import org.jspecify.annotations.NullMarked;
