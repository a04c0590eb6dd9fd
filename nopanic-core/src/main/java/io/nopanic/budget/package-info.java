/**
 * How much of the traffic may be repetition: a budget that retries and hedges spend from, so that a failing dependency
 * is not buried under its callers' second tries.
 */
@NullMarked
package io.nopanic.budget;

import org.jspecify.annotations.NullMarked;
