/** A crawl of a made-up site, for the tests of traps. */
@NullMarked
package dev.comity.core.trap.support;

import org.jspecify.annotations.NullMarked;
