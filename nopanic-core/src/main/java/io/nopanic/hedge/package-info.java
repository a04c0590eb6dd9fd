/** The hedge: starts another copy of a call that is slow, and takes the first good answer. */
@NullMarked
package io.nopanic.hedge;

import org.jspecify.annotations.NullMarked;
