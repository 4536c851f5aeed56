package dev.comity.store.postgres;

import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A URL to insert, prepared by the thread that found it.
 *
 * @param hash identifies the URL within its domain
 * @param skipped whether it is stored as known and never requested
 */
record FoundUrl(QueuedUrl entry, DomainName domain, UUID hash, boolean skipped) {

  /** Half of the SHA-256 of a URL's text: two URLs with the same one are not to be expected. */
  static UUID hash(CrawlUrl url) {
    ByteBuffer digest =
        ByteBuffer.wrap(Sha256.of(url.toString().getBytes(StandardCharsets.ISO_8859_1)));
    return new UUID(digest.getLong(), digest.getLong());
  }
}
