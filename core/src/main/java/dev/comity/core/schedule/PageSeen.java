package dev.comity.core.schedule;

import java.util.OptionalLong;

/** What an answer shows of a page's content. */
public sealed interface PageSeen {

  /** The content. Bytes may differ where the text does not: a fresh nonce is no change. */
  record Content(long text) implements PageSeen {}

  /** The server says that it has not changed. */
  record NotModified() implements PageSeen {}

  /** The page is not there: 404 or 410. */
  record Missing() implements PageSeen {}

  /** The answer tells nothing: a server that fails says nothing about its pages. */
  record Nothing() implements PageSeen {}

  /** The fingerprint of the content, if it was seen. */
  default OptionalLong fingerprint() {
    return this instanceof Content(long text) ? OptionalLong.of(text) : OptionalLong.empty();
  }
}
