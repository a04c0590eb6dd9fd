/**
 * Whole pipelines with many callers in a simulated world: one thread, virtual time, and every answer, fault, cancellation and jump of a
 * clock drawn from a seed. After each step laws are checked that hold whatever happens. A seed is one history, the same every time.
 */
@NullMarked
package io.nopanic.stress.simulation;

import org.jspecify.annotations.NullMarked;
