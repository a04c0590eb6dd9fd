/** What the README shows. */
@NullMarked
package io.example.readme;

import org.jspecify.annotations.NullMarked;
