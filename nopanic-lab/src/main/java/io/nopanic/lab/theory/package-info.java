/** Closed forms: what a rule does when failures are independent. Pure functions, each with the bound within which it holds. */
@NullMarked
package io.nopanic.lab.theory;

import org.jspecify.annotations.NullMarked;
