/** Who is measured when, and what comes out of it: processes, ratios with their intervals, targets, tables. */
@NullMarked
package io.nopanic.benchmarks.run;

import org.jspecify.annotations.NullMarked;
