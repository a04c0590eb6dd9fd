/** What the packages above need to know of threads. */
@NullMarked
package io.nopanic.threads;

import org.jspecify.annotations.NullMarked;
