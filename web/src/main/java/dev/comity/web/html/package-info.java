/** Reads HTML: what a page is called, what it says and where it leads. */
@NullMarked
package dev.comity.web.html;

import org.jspecify.annotations.NullMarked;
