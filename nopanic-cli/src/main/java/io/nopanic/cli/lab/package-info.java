/** The commands of the lab: what breakers would do, by formulas, with invented traffic and with recorded calls. */
@NullMarked
package io.nopanic.cli.lab;

import org.jspecify.annotations.NullMarked;
