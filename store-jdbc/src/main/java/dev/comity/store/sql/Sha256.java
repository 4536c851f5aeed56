package dev.comity.store.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** SHA-256, which every Java has. */
public final class Sha256 {
  /** Nothing is ever put into it: to copy it is much cheaper than to look for another. */
  private static final MessageDigest FRESH = found();

  private Sha256() {}

  static MessageDigest digest() {
    try {
      return (MessageDigest) FRESH.clone();
    } catch (CloneNotSupportedException _) {
      // The provider's own choice.
      return found();
    }
  }

  private static MessageDigest found() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** The first half for a text of plain ASCII, as a key. */
  public static UUID half(String text) {
    ByteBuffer hash = ByteBuffer.wrap(of(text.getBytes(StandardCharsets.ISO_8859_1)));
    return new UUID(hash.getLong(), hash.getLong());
  }

  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }
}
