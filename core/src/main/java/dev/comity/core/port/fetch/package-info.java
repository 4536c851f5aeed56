/**
 * The port to the web: fetch one URL, read links, robots.txt and sitemaps. {@link
 * dev.comity.core.port.fetch.Fetcher} sends exactly one request and answers with an outcome, never
 * with an exception. The readers are pure functions of the bytes they are given. The module {@code
 * web} implements all of them.
 */
@NullMarked
package dev.comity.core.port.fetch;

import org.jspecify.annotations.NullMarked;
