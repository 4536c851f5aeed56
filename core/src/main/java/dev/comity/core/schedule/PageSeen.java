package dev.comity.core.schedule;

import java.util.OptionalLong;

/** What an answer shows of a page's content. */
public sealed interface PageSeen {

  /** The content. Bytes may differ where the text does not: a fresh nonce is no change. */
  record SeenText(long text) implements PageSeen {}

  /** The server says that it has not changed. */
  record SameAsBefore() implements PageSeen {}

  /** The page is not there: 404 or 410. */
  record MissingPage() implements PageSeen {}

  /** The answer tells nothing: a server that fails says nothing about its pages. */
  record NoAnswer() implements PageSeen {}

  /** The fingerprint of the content, if it was seen. */
  default OptionalLong fingerprint() {
    return this instanceof SeenText(long text) ? OptionalLong.of(text) : OptionalLong.empty();
  }
}
