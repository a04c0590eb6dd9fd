/** The command line tool: its entry point, and what holds for all commands. */
@NullMarked
package io.nopanic.cli;

import org.jspecify.annotations.NullMarked;
