/** The mathematics behind settings: what a trip rule does to be expected of it, and which settings give what is wanted. Pure functions. */
@NullMarked
package io.nopanic.tuning;

import org.jspecify.annotations.NullMarked;
