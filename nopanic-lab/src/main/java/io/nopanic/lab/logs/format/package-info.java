/** What a line or a span of each format says about a call. Works on bytes; makes no objects per line where a format has none of its own. */
@NullMarked
package io.nopanic.lab.logs.format;

import org.jspecify.annotations.NullMarked;
