/** What all commands write with: text for people, on a terminal or not, and JSON for programs. */
@NullMarked
package io.nopanic.cli.terminal;

import org.jspecify.annotations.NullMarked;
