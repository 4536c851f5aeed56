package dev.comity.core.outcome;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The decoded bytes of a response. The array is handed over, not copied: it is not written to after
 * that.
 */
public final class Body {
  /** A body of no bytes. */
  public static final Body EMPTY = new Body(new byte[0], Optional.empty());

  private final byte[] bytes;
  private final Optional<byte[]> received;

  private Body(byte[] bytes, Optional<byte[]> received) {
    this.bytes = bytes;
    this.received = received;
  }

  /** A body of these bytes, which the caller gives away. */
  public static Body of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Body(bytes, Optional.empty());
  }

  /** A body of these bytes, which came packed by gzip. */
  public static Body of(byte[] bytes, byte[] received) {
    return new Body(bytes, Optional.of(received));
  }

  /** A body of this text in UTF-8. */
  public static Body of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes themselves; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** The bytes as they came, packed by gzip, where the fetcher was asked to keep them. */
  public Optional<byte[]> received() {
    return received;
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
