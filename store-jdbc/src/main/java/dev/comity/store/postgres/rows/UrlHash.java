package dev.comity.store.postgres.rows;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.sql.Sha256;
import java.util.UUID;

/** What identifies a URL within its domain. */
public final class UrlHash {
  private UrlHash() {}

  /** Half of the SHA-256 of a URL's text: two URLs with the same one are not to be expected. */
  public static UUID of(CrawlUrl url) {
    return Sha256.half(url.toString());
  }
}
