package dev.comity;

/** A crawl that cannot begin. The message names the setting, its value, the rule and the fix. */
public final class CrawlRefused extends RuntimeException {
  CrawlRefused(String message) {
    super(message);
  }
}
