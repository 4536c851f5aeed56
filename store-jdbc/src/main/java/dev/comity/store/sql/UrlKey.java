package dev.comity.store.sql;

import dev.comity.core.url.CrawlUrl;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.ToLongFunction;

/**
 * A number that finds a URL in its domain. Two URLs may have the same key: the text decides. The
 * hash is a strong one so that a site cannot construct many collisions. For one thread.
 */
public final class UrlKey implements ToLongFunction<CrawlUrl> {
  private final MessageDigest digest = Sha256.digest();

  @Override
  public long applyAsLong(CrawlUrl url) {
    byte[] hash = digest.digest(url.toString().getBytes(StandardCharsets.ISO_8859_1));
    return ByteBuffer.wrap(hash).getLong();
  }
}
