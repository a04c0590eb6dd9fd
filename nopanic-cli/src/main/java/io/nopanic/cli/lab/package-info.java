/** The commands of the lab: what breakers would do with invented traffic and with recorded calls. */
@NullMarked
package io.nopanic.cli.lab;

import org.jspecify.annotations.NullMarked;
