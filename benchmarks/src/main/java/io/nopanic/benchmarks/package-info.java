/** What a guarded call costs here and elsewhere: the command line. */
@NullMarked
package io.nopanic.benchmarks;

import org.jspecify.annotations.NullMarked;
