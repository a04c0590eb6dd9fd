/**
 * What a call's end means: the one classification that all policies share, the exceptions of nopanic itself, and the hints
 * that a failure may carry.
 */
@NullMarked
package io.nopanic.outcome;

import org.jspecify.annotations.NullMarked;
