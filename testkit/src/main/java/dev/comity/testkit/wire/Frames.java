package dev.comity.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The frames of HTTP/2 one by one, for scripts that want to get them wrong. */
public final class Frames {
  private static final int PREFACE = 24;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  private Frames() {}

  /** Greets the client and reads up to its first request; returns the stream it came on. */
  public static int request(Wire wire) throws IOException {
    wire.send(frame(SETTINGS, 0, 0, new byte[0]));
    wire.read(PREFACE);
    return nextRequest(wire);
  }

  /** Reads up to the next request. */
  public static int nextRequest(Wire wire) throws IOException {
    while (true) {
      byte[] head = wire.read(9);
      if (head.length < 9) {
        throw new IOException("the client has left");
      }
      wire.read(number(head, 0, 3));
      if (head[3] == HEADERS) {
        return number(head, 5, 9);
      }
    }
  }

  /** A whole block of headers. */
  public static byte[] headers(int stream, byte[] block) {
    return frame(HEADERS, END_HEADERS, stream, block);
  }

  /** The beginning of a block of headers. */
  public static byte[] unfinishedHeaders(int stream, byte[] block) {
    return frame(HEADERS, 0, stream, block);
  }

  /** More of a block of headers, and not the last of it. */
  public static byte[] continuation(int stream, byte[] block) {
    return frame(CONTINUATION, 0, stream, block);
  }

  /** A part of a body that is not its last. */
  public static byte[] data(int stream, String body) {
    return frame(DATA, 0, stream, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The last part of a body. */
  public static byte[] lastData(int stream, String body) {
    return frame(DATA, 1, stream, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Header lines as a block, each written out; a status is a header named {@code :status}. */
  public static byte[] block(String... namesAndValues) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      block.write(0);
      literal(block, namesAndValues[i]);
      literal(block, namesAndValues[i + 1]);
    }
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String text) {
    int length = text.length();
    if (length < 127) {
      block.write(length);
    } else {
      block.write(127);
      for (length -= 127; length >= 128; length /= 128) {
        block.write(length % 128 + 128);
      }
      block.write(length);
    }
    block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    write(frame, payload.length, 3);
    frame.write(type);
    frame.write(flags);
    write(frame, stream, 4);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  private static void write(ByteArrayOutputStream frame, int number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      frame.write(number >> shift);
    }
  }

  private static int number(byte[] bytes, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = (number << 8) | (bytes[i] & 0xff);
    }
    return number;
  }
}
