package dev.comity.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java has. */
final class Sha256 {
  private Sha256() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }
}
