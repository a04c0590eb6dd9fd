/** The command line: which parts there are, and in which order they run. */
package io.nopanic.stress.main;
