/** Recommendations, with the evidence behind each. */
@NullMarked
package io.nopanic.lab.tune;

import org.jspecify.annotations.NullMarked;
