/**
 * One HTTP request and what it came to. {@link dev.comity.web.http.HttpFetcher} sends it, at most
 * once, to an address the guard admits. The status decides what a response means. The body is read
 * through the layers of its content coding, within the limits of {@link
 * dev.comity.web.http.FetchSettings}. A failure becomes an outcome with a reason in our own words.
 */
@NullMarked
package dev.comity.web.http;

import org.jspecify.annotations.NullMarked;
