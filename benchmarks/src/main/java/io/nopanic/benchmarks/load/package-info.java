/** What runs in processes of their own and is no single call: the load of many threads, what a breaker holds, and how it grows. */
@NullMarked
package io.nopanic.benchmarks.load;

import org.jspecify.annotations.NullMarked;
