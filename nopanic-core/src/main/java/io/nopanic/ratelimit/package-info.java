/**
 * Rate limiters: so many calls per period to one dependency, by a fixed rate or by one that follows what the dependency can take.
 *
 * <p>{@link io.nopanic.ratelimit.RateLimiter} and {@link io.nopanic.ratelimit.AdaptiveRateLimiter} are what is used. Behind both stand a bucket, which
 * decides nearly every call with one atomic operation on one word, and the line of those who wait, which has a lock.
 */
@NullMarked
package io.nopanic.ratelimit;

import org.jspecify.annotations.NullMarked;
