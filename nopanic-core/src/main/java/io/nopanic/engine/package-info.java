/**
 * Interprets a pipeline of policies. The policies decide; everything that acts is here: calling, waiting, timers, threads,
 * interrupts, cancellation.
 *
 * <p>There is one class per policy shape, and it holds both ways of running it, side by side: {@code call} for a blocking call,
 * and {@code down}, {@code resume}, {@code up} for an asynchronous one.
 *
 * <ul>
 *   <li>A <b>blocking call</b> runs down a chain of {@link io.nopanic.engine.Stage stages}, each calling the next. Permits and
 *       attempt numbers are local variables, so a call that goes well allocates nothing.
 *   <li>An <b>asynchronous call</b> is a {@link io.nopanic.engine.StagedCall}: one object that is the promise, the memory and a
 *       small machine that walks the same stages, and that parks and is unparked as a thread would be, without one.
 * </ul>
 */
@NullMarked
package io.nopanic.engine;

import org.jspecify.annotations.NullMarked;
