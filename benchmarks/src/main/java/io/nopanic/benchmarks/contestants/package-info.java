/** What is measured: the same work, guarded by nopanic and by its peers, each configured alike as far as it goes. */
@NullMarked
package io.nopanic.benchmarks.contestants;

import org.jspecify.annotations.NullMarked;
