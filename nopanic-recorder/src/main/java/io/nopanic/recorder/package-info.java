/** Writes down the calls that went through pipelines, one line for each. */
@NullMarked
package io.nopanic.recorder;

import org.jspecify.annotations.NullMarked;
