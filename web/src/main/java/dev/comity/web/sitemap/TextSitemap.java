package dev.comity.web.sitemap;

import dev.comity.core.url.CrawlUrl;

/** One URL a line. */
final class TextSitemap {
  private static final int MOST_KEPT = 8192;
  private static final int END = -1;

  private TextSitemap() {}

  /** Whether the first line is a URL. */
  static boolean isOne(SitemapText text) {
    return CrawlUrl.parse(line(text).strip()) instanceof CrawlUrl;
  }

  /** Answers whether all of it was read. */
  static boolean read(SitemapText text, SitemapFiles.Counting found) {
    while (text.peek() != END) {
      String line = line(text);
      if (!line.isBlank()) {
        found.page(line);
      }
      if (found.isOver()) {
        return false;
      }
    }
    return true;
  }

  private static String line(SitemapText text) {
    StringBuilder line = new StringBuilder();
    for (int c = text.next(); c != END && c != '\n' && c != '\r'; c = text.next()) {
      if (line.length() < MOST_KEPT) {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
