/** Logs of other programs and our own: from lines to calls, and, so that invented traffic can be fed to anybody, from calls to lines. */
@NullMarked
package io.nopanic.lab.logs;

import org.jspecify.annotations.NullMarked;
