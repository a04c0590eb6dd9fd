/** What happened, told to whoever listens. Listeners can neither slow down a decision nor break a call. */
@NullMarked
package io.nopanic.events;

import org.jspecify.annotations.NullMarked;
