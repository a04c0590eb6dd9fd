/**
 * Models beside implementations. A model is so plain that one sees that it is right: a list of what happened, read whole for every
 * question. It and the policy see the same operations in virtual time, and after each all that can be seen of both has to be the same.
 */
@NullMarked
package io.nopanic.stress.model;

import org.jspecify.annotations.NullMarked;
