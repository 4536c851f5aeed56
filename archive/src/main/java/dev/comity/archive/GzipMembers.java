package dev.comity.archive;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Puts records, each as a gzip member of its own, into one buffer. A member is packed or only
 * stored: packing what is short or packed already takes most of the time and saves little. Used by
 * one thread at a time.
 */
final class GzipMembers {
  /** Level 1 packs HTML nearly as well as level 6 and four times as fast. */
  private static final int LEVEL = 1;

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int FIRST = 32 << 10;

  /** Of a stored block. */
  private static final int LONGEST_BLOCK = 65_535;

  /** A larger buffer is not kept for the next use. */
  private static final int MOST_KEPT = 1 << 20;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private byte[] bytes = new byte[FIRST];
  private int length;

  /** Forgets all members. */
  void clear() {
    length = 0;
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[FIRST];
    }
  }

  /** Adds a member that is packed. */
  void pack(ByteBuffer... pieces) {
    deflater.reset();
    crc.reset();
    header();
    for (ByteBuffer piece : pieces) {
      crc.update(piece.duplicate());
      deflater.setInput(piece.duplicate());
      while (!deflater.needsInput()) {
        deflate();
      }
    }
    deflater.finish();
    while (!deflater.finished()) {
      deflate();
    }
    trailer(deflater.getBytesRead());
  }

  /** Adds a member in blocks that are only stored. */
  void store(ByteBuffer... pieces) {
    crc.reset();
    header();
    long total = 0;
    for (ByteBuffer piece : pieces) {
      total += piece.remaining();
    }
    long left = total;
    int inBlock = 0;
    for (ByteBuffer given : pieces) {
      ByteBuffer piece = given.duplicate();
      crc.update(piece.duplicate());
      while (piece.hasRemaining()) {
        if (inBlock == 0) {
          inBlock = (int) Math.min(LONGEST_BLOCK, left);
          blockHeader(inBlock, inBlock == left);
        }
        int count = Math.min(inBlock, piece.remaining());
        room(count);
        piece.get(bytes, length, count);
        length += count;
        inBlock -= count;
        left -= count;
      }
    }
    if (total == 0) {
      blockHeader(0, true);
    }
    trailer(total);
  }

  /** One bit for the last block, the length, and the length again, inverted (RFC 1951). */
  private void blockHeader(int size, boolean isLast) {
    room(5);
    bytes[length++] = (byte) (isLast ? 1 : 0);
    bytes[length++] = (byte) size;
    bytes[length++] = (byte) (size >>> 8);
    bytes[length++] = (byte) ~size;
    bytes[length++] = (byte) (~size >>> 8);
  }

  private void header() {
    room(HEADER.length);
    System.arraycopy(HEADER, 0, bytes, length, HEADER.length);
    length += HEADER.length;
  }

  private void deflate() {
    room(4096);
    length += deflater.deflate(bytes, length, bytes.length - length);
  }

  private void trailer(long size) {
    room(8);
    number((int) crc.getValue());
    number((int) size);
  }

  private void number(int number) {
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
