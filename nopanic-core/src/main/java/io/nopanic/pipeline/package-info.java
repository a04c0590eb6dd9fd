/** Where policies are put together and calls are made: {@link io.nopanic.pipeline.Pipeline}. */
@NullMarked
package io.nopanic.pipeline;

import org.jspecify.annotations.NullMarked;
