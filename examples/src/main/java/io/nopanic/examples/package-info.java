/** Code that the documentation shows. */
@NullMarked
package io.nopanic.examples;

import org.jspecify.annotations.NullMarked;
