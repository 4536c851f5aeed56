package dev.comity.archive;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Packs records, each as a gzip member of its own, into one buffer. What is packed already is
 * stored: packing it twice costs most of the time and saves nothing. Used by one thread at a time.
 */
final class GzipMembers {
  /** Level 1 packs HTML nearly as well as level 6 and four times as fast. */
  private static final int LEVEL = 1;

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int FIRST = 32 << 10;

  /** A larger buffer is not kept for the next use. */
  private static final int MOST_KEPT = 1 << 20;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private byte[] bytes = new byte[FIRST];
  private int length;
  private boolean stores;

  /** Forgets all members. */
  void clear() {
    length = 0;
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[FIRST];
    }
  }

  void begin() {
    deflater.reset();
    store(false);
    crc.reset();
    room(HEADER.length);
    System.arraycopy(HEADER, 0, bytes, length, HEADER.length);
    length += HEADER.length;
  }

  private void store(boolean wanted) {
    if (stores != wanted) {
      stores = wanted;
      deflater.setLevel(wanted ? Deflater.NO_COMPRESSION : LEVEL);
    }
  }

  /**
   * Adds a piece to the member.
   *
   * @param isPacked whether it is compressed already
   */
  void add(ByteBuffer piece, boolean isPacked) {
    store(isPacked);
    crc.update(piece.duplicate());
    deflater.setInput(piece.duplicate());
    while (!deflater.needsInput()) {
      deflate();
    }
  }

  void end() {
    int size = (int) deflater.getBytesRead();
    deflater.finish();
    while (!deflater.finished()) {
      deflate();
    }
    room(8);
    trailer((int) crc.getValue());
    trailer(size);
  }

  private void deflate() {
    room(4096);
    length += deflater.deflate(bytes, length, bytes.length - length);
  }

  private void trailer(int number) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes[length++] = (byte) (number >>> shift);
    }
  }

  private void room(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
    }
  }

  /** Where the next member begins. */
  int length() {
    return length;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Gives its native memory back. */
  void free() {
    deflater.end();
  }
}
