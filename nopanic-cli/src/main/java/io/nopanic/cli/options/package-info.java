/** Values of options as users write them. */
@NullMarked
package io.nopanic.cli.options;

import org.jspecify.annotations.NullMarked;
