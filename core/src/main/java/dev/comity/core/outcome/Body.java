package dev.comity.core.outcome;

import java.nio.charset.StandardCharsets;

/**
 * The decoded bytes of a response. The array is handed over, not copied: it is not written to after
 * that.
 */
public final class Body {
  /** A body of no bytes. */
  public static final Body EMPTY = new Body(new byte[0]);

  private final byte[] bytes;

  private Body(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A body of these bytes, which the caller gives away. */
  public static Body of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Body(bytes);
  }

  /** A body of this text in UTF-8. */
  public static Body of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes themselves; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes there are. */
  public int length() {
    return bytes.length;
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
