/** A policy as a user writes it down: presets, one-line forms and files of properties; builds the production class from it. */
@NullMarked
package io.nopanic.lab.setup;

import org.jspecify.annotations.NullMarked;
