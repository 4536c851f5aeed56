package dev.comity.app.history;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Reads a file line by line, packed with gzip or not. A line that is too long is cut, so that no
 * file fills the memory.
 */
final class BoundedLines {
  /** In bytes. */
  static final int LONGEST = 40_000;

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private BoundedLines() {}

  /** Takes a line. */
  @FunctionalInterface
  interface LineTaker {
    /**
     * One more line.
     *
     * @param number from 1
     * @param whole whether nothing of it was cut
     */
    void line(long number, String text, boolean whole);
  }

  /** A packed file that ends too soon is read as far as it goes: a crash leaves such files. */
  static void read(Path file, LineTaker taker) throws IOException {
    try (InputStream bytes = opened(file)) {
      byte[] line = new byte[LONGEST];
      int length = 0;
      boolean whole = true;
      long number = 1;
      boolean begun = false;
      while (true) {
        int next = next(bytes);
        if (next == '\n' || next < 0) {
          if (next == '\n' || begun) {
            taker.line(number++, text(line, length), whole);
          }
          if (next < 0) {
            return;
          }
          length = 0;
          whole = true;
          begun = false;
        } else {
          begun = true;
          if (length < LONGEST) {
            line[length++] = (byte) next;
          } else {
            whole = false;
          }
        }
      }
    }
  }

  private static int next(InputStream bytes) throws IOException {
    try {
      return bytes.read();
    } catch (EOFException _) {
      return -1;
    }
  }

  private static String text(byte[] line, int length) {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  private static InputStream opened(Path file) throws IOException {
    BufferedInputStream plain = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    plain.mark(2);
    boolean packed = plain.read() == GZIP_FIRST && plain.read() == GZIP_SECOND;
    plain.reset();
    return packed ? new BufferedInputStream(new GZIPInputStream(plain, 1 << 16), 1 << 16) : plain;
  }
}
