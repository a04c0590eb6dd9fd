/** The commands of the lab: what a breaker would do. */
@NullMarked
package io.nopanic.cli.lab;

import org.jspecify.annotations.NullMarked;
