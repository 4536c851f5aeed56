package dev.comity.keep;

/** A part of pages that a crawl can keep. */
public enum Keep {
  /** The body as received, without its transfer and content codings. */
  HTML,
  /** What a reader would see, with paragraphs. */
  TEXT,
  /** The main content as Markdown. */
  MARKDOWN,
  /** Links with their words and {@code rel}. */
  LINKS,
  /** Language, description, canonical URL and headers; kept with every other part, too. */
  META
}
