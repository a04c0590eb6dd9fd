/**
 * The only place from which policies and engine take time: a monotonic clock, a timer, a way to park a thread, and a wall
 * clock that is shown but never decided on. Everything here can be replaced, so that tests and simulations run in virtual
 * time.
 */
@NullMarked
package io.nopanic.time;

import org.jspecify.annotations.NullMarked;
