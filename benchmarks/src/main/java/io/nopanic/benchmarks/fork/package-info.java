/** What runs in the process that is measured: one contestant, with one, two and more threads. */
@NullMarked
package io.nopanic.benchmarks.fork;

import org.jspecify.annotations.NullMarked;
