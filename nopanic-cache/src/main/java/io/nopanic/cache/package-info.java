/**
 * A cache as a stage of a pipeline: one load per key at a time, values past their time to live when the dependency fails or while they
 * are refreshed, and a bounded size.
 */
@NullMarked
package io.nopanic.cache;

import org.jspecify.annotations.NullMarked;
