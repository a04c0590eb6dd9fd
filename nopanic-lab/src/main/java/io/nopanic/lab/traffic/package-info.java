/** Invented traffic: arrivals and incidents from a seed. */
@NullMarked
package io.nopanic.lab.traffic;

import org.jspecify.annotations.NullMarked;
