/** Drives the production policies over calls in order of time, and counts what came of it. Has no policy of its own. */
@NullMarked
package io.nopanic.lab.replay;

import org.jspecify.annotations.NullMarked;
