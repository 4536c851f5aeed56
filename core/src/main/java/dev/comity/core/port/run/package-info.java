/**
 * The port to runs: one crawl on its terms, which any number of workers join. They share its page
 * budget, and the last one ends it.
 */
@NullMarked
package dev.comity.core.port.run;

import org.jspecify.annotations.NullMarked;
