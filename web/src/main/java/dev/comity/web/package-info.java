/**
 * One request over HTTP and what it came to.
 *
 * <p>{@link dev.comity.web.HttpFetcher} sends it: what goes in clear over {@link
 * dev.comity.web.Http1 sockets of our own}, the rest with OkHttp. A {@link dev.comity.web.Watch}
 * follows the call and knows how far it got; the {@link dev.comity.web.OneRequest door} before the
 * wire lets a single request through and only to an address the guard admits. An answer is judged
 * by {@link dev.comity.web.Statuses its status}, its body read by {@link dev.comity.web.BodyReader}
 * through the layers of its {@link dev.comity.web.ContentCoding}; where no answer came, {@link
 * dev.comity.web.Failures} says why in words of our own.
 */
@NullMarked
package dev.comity.web;

import org.jspecify.annotations.NullMarked;
