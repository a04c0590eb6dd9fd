/** Results as text, as JSON and as one page of HTML. */
@NullMarked
package io.nopanic.lab.report;

import org.jspecify.annotations.NullMarked;
