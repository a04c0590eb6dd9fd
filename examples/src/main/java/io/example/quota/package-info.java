/** A policy of one's own, written against {@link io.nopanic.spi} only. */
@NullMarked
package io.example.quota;

import org.jspecify.annotations.NullMarked;
