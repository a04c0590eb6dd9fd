/**
 * The fallback: an answer in place of a failure or of a bad result. It is a value, what a supplier or a function of the failure gives,
 * what a stage ends with, or the last good result.
 */
@NullMarked
package io.nopanic.fallback;

import org.jspecify.annotations.NullMarked;
