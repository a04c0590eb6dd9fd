/** What the closed forms say of one policy at given rates, line by line, with what each line is worth. */
@NullMarked
package io.nopanic.lab.predict;

import org.jspecify.annotations.NullMarked;
