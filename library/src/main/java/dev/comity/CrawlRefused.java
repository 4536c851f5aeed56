package dev.comity;

/**
 * A crawl that does not begin as it was described. The message names the setting, its value, the
 * rule and the fix.
 */
public final class CrawlRefused extends RuntimeException {
  CrawlRefused(String message) {
    super(message);
  }
}
