package dev.comity.web.tls;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Answers as they are read, with heads that OkHttp can decode. OkHttp reads header lines as UTF-8,
 * and a byte that is none would be lost. So a byte beyond ASCII in a head is handed on as the UTF-8
 * of the character of its number. Bodies pass as they are.
 */
final class RawHeadStream extends FilterInputStream {
  private static final int NONE = -1;

  /** Where the first digit of the code stands in {@code HTTP/1.1 200 OK}. */
  private static final int CODE = 9;

  /** Whether a head is being read. */
  private boolean isHead = true;

  /** Bytes read of the present line, without its end. */
  private int inLine;

  private boolean isStatusLine = true;

  /** Whether the head is that of an interim answer (1xx), which another one follows. */
  private boolean isInterim;

  /** The second byte of a character whose first was handed on. */
  private int second = NONE;

  RawHeadStream(InputStream in) {
    super(in);
  }

  /** A request is about to be sent: what comes next is the head of its answer. */
  void expectHead() {
    isHead = true;
    inLine = 0;
    isStatusLine = true;
    isInterim = false;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (second != NONE) {
      bytes[offset] = (byte) second;
      second = NONE;
      return 1;
    }
    return isHead ? readHead(bytes, offset, length) : super.read(bytes, offset, length);
  }

  /** A character may take two bytes, so half as many are read. */
  private int readHead(byte[] bytes, int offset, int length) throws IOException {
    byte[] raw = new byte[Math.max(1, length / 2)];
    int count = in.read(raw, 0, raw.length);
    int at = offset;
    for (int number = 0; number < count; number++) {
      int value = raw[number] & 0xff;
      if (isHead && value >= 0x80) {
        inLine++;
        bytes[at++] = (byte) (0xc0 | (value >> 6));
        int rest = 0x80 | (value & 0x3f);
        if (at < offset + length) {
          bytes[at++] = (byte) rest;
        } else {
          second = rest;
        }
      } else {
        bytes[at++] = raw[number];
        follow(value);
      }
    }
    return count < 0 ? count : at - offset;
  }

  private void follow(int value) {
    if (!isHead || value == '\r') {
      return;
    }
    if (value != '\n') {
      if (isStatusLine && inLine == CODE) {
        isInterim = value == '1';
      }
      inLine++;
      return;
    }
    boolean ends = inLine == 0 && !isStatusLine;
    isStatusLine = ends && isInterim;
    isHead = !ends || isInterim;
    inLine = 0;
  }
}
