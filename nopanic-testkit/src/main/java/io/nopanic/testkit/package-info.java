/** Tests of guarded code that run in virtual time: minutes of backoff and open circuits pass in milliseconds, the same every time. */
@NullMarked
package io.nopanic.testkit;

import org.jspecify.annotations.NullMarked;
