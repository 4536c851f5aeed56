/**
 * One request over HTTP and what it came to.
 *
 * <p>{@link dev.comity.web.HttpFetcher} asks. {@link dev.comity.web.Http1} takes an idle connection
 * or has {@link dev.comity.web.Http1Dialer} make one, sends a single request and reads the answer.
 * A {@link dev.comity.web.Watch} follows the fetch and knows how far it got. An answer is judged by
 * {@link dev.comity.web.Statuses its status}, its body read by {@link dev.comity.web.BodyReader}
 * through the layers of its {@link dev.comity.web.ContentCoding}; where no answer came, {@link
 * dev.comity.web.Failures} says why in words of our own.
 */
@NullMarked
package dev.comity.web;

import org.jspecify.annotations.NullMarked;
