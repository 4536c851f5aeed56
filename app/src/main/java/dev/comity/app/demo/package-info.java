/**
 * A small web of our own, so that a newcomer can watch a crawl without a network and without
 * bothering anybody.
 */
@NullMarked
package dev.comity.app.demo;

import org.jspecify.annotations.NullMarked;
