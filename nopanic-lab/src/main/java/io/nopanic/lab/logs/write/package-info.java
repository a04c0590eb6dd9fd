/** Calls as the lines that other programs would have written of them, so that invented traffic can be fed to anything that reads logs. */
@NullMarked
package io.nopanic.lab.logs.write;

import org.jspecify.annotations.NullMarked;
