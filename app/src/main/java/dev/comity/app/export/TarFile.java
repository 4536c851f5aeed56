package dev.comity.app.export;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/** Writes a tar file of regular files with short names, as POSIX has it (ustar). */
final class TarFile implements Closeable {
  private static final int BLOCK = 512;

  private final OutputStream out;

  TarFile(OutputStream out) {
    this.out = out;
  }

  /**
   * Adds a file.
   *
   * @param name ASCII, at most 100 characters
   */
  void add(String name, byte[] bytes, Instant at) throws IOException {
    byte[] header = new byte[BLOCK];
    text(header, 0, name);
    text(header, 100, "0000644");
    text(header, 108, "0000000");
    text(header, 116, "0000000");
    text(header, 124, octal(bytes.length));
    text(header, 136, octal(at.getEpochSecond()));
    header[156] = '0';
    text(header, 257, "ustar");
    text(header, 263, "00");
    // The sum is taken with blanks in its place.
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    text(header, 148, String.format(Locale.ROOT, "%06o", sum));
    header[154] = 0;
    out.write(header);
    out.write(bytes);
    out.write(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
  }

  private static void text(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static String octal(long number) {
    return String.format(Locale.ROOT, "%011o", number);
  }

  /** Ends it with two empty blocks. */
  @Override
  public void close() throws IOException {
    try (out) {
      out.write(new byte[2 * BLOCK]);
    }
  }
}
