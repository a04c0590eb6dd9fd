/** Real threads and real time, for minutes: does anything grow that should not? */
@NullMarked
package io.nopanic.stress.soak;

import org.jspecify.annotations.NullMarked;
