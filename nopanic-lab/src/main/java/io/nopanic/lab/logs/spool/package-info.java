/** Calls on their way from a log to a reader: put in order of their start, in memory while they fit and in a temporary file when they do not. */
@NullMarked
package io.nopanic.lab.logs.spool;

import org.jspecify.annotations.NullMarked;
