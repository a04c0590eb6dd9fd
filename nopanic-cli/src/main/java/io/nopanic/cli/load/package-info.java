/** The command {@code load}: what a circuit breaker costs, in time and in memory, and what one costs that keeps every call. */
@NullMarked
package io.nopanic.cli.load;

import org.jspecify.annotations.NullMarked;
