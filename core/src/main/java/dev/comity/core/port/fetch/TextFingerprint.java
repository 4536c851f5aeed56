package dev.comity.core.port.fetch;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A fingerprint of a text, taken part by part. White space does not count. It is stored, so it
 * never changes.
 */
public final class TextFingerprint {
  /** The fingerprint of nothing, before {@link #ended}. */
  public static final long START = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private TextFingerprint() {}

  /** The fingerprint after one more part of the text. */
  public static long after(long before, String text, int start, int end) {
    long hash = before;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c > ' ') {
        hash = (hash ^ c) * PRIME;
      }
    }
    return hash;
  }

  /** Spreads what differs in one bit over all of them. */
  public static long ended(long hash) {
    long once = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    long twice = (once ^ (once >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return twice ^ (twice >>> 33);
  }

  /** The fingerprint of a document that is no text. */
  public static long of(byte[] bytes) {
    CRC32 one = new CRC32();
    one.update(bytes);
    CRC32C other = new CRC32C();
    other.update(bytes);
    return one.getValue() << 32 | other.getValue();
  }
}
