/**
 * Random scripts: what draws them from a seed, runs them, and shortens one that fails to the few steps that matter.
 * {@link io.nopanic.stress.script.Subject} is what is tried, {@link io.nopanic.stress.script.Explorer} tries it.
 */
@NullMarked
package io.nopanic.stress.script;

import org.jspecify.annotations.NullMarked;
