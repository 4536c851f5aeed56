package dev.comity.app.lists;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads a file line by line, packed with gzip or not. A line that is too long is cut, so that no
 * file fills the memory. Bytes that are no UTF-8 become U+FFFD.
 */
public final class BoundedLines implements Closeable {
  /** In bytes. */
  static final int LONGEST = 1 << 20;

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final InputStream bytes;
  private final byte[] line = new byte[LONGEST];
  private long number;
  private boolean afterReturn;

  private BoundedLines(InputStream bytes) {
    this.bytes = bytes;
  }

  /**
   * A line without its end.
   *
   * @param number from 1
   * @param whole whether nothing of it was cut
   */
  public record Line(long number, String text, boolean whole) {}

  static BoundedLines open(Path file) throws IOException {
    BufferedInputStream plain = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    plain.mark(2);
    boolean packed = plain.read() == GZIP_FIRST && plain.read() == GZIP_SECOND;
    plain.reset();
    return new BoundedLines(
        packed ? new BufferedInputStream(new GZIPInputStream(plain, 1 << 16), 1 << 16) : plain);
  }

  /** Hands on every line of a file. */
  public static void each(Path file, Consumer<Line> taker) throws IOException {
    try (BoundedLines lines = open(file)) {
      for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
        taker.accept(line.get());
      }
    }
  }

  /** The next line. A packed file that ends too soon is read as far as it goes. */
  Optional<Line> next() throws IOException {
    int length = 0;
    boolean whole = true;
    int next = read();
    if (next == '\n' && afterReturn) {
      next = read();
    }
    if (next < 0) {
      return Optional.empty();
    }
    while (next >= 0 && next != '\n' && next != '\r') {
      if (length < LONGEST) {
        line[length++] = (byte) next;
      } else {
        whole = false;
      }
      next = read();
    }
    afterReturn = next == '\r';
    number++;
    String text = new String(line, 0, length, StandardCharsets.UTF_8);
    return Optional.of(
        new Line(
            number,
            number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text,
            whole));
  }

  private int read() throws IOException {
    try {
      return bytes.read();
    } catch (EOFException _) {
      // A crash leaves such files.
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
