/**
 * Comity as a library. {@link dev.comity.Comity} takes seeds, limits and hooks, and {@code run}
 * crawls. The crawl is as polite as the command's and keeps the same data directory. It prints
 * nothing.
 *
 * <p>{@link dev.comity.CrawlSession} is the wiring that {@code Comity} and the command share.
 */
@NullMarked
package dev.comity;

import org.jspecify.annotations.NullMarked;
