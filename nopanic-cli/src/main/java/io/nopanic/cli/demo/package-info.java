/** The command {@code demo}: what a circuit breaker does for a dependency that is down. */
@NullMarked
package io.nopanic.cli.demo;

import org.jspecify.annotations.NullMarked;
