/** The result of a replay as one HTML file that needs no other: tables, and pictures in SVG. */
@NullMarked
package io.nopanic.lab.report.html;

import org.jspecify.annotations.NullMarked;
