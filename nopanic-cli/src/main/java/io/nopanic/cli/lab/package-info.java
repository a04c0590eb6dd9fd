/** The commands of the lab: what breakers will do, by formulas, with invented traffic and with recorded calls. */
@NullMarked
package io.nopanic.cli.lab;

import org.jspecify.annotations.NullMarked;
