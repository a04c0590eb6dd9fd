/** One recorded or invented call, and how many of them are read in order without being held in memory. Knows no other package of the lab. */
@NullMarked
package io.nopanic.lab.call;

import org.jspecify.annotations.NullMarked;
