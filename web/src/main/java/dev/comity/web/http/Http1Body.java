package dev.comity.web.http;

import dev.comity.core.outcome.Headers;
import dev.comity.web.http.Framing.UnclearEnd;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * The body of an answer, framed by RFC 9112. An answer that can be framed in two ways is not read
 * at all: a proxy might frame it the other way, and the end of one answer would be taken for the
 * beginning of the next.
 */
abstract class Http1Body extends InputStream {
  private static final int LONGEST_CHUNK_LINE = 4 * 1024;

  /** Of the size of a chunk. One more, and it may be below zero. */
  private static final int MOST_DIGITS = 15;

  final Http1Connection connection;

  Http1Body(Http1Connection connection) {
    this.connection = connection;
  }

  /** The body that belongs to these headers. */
  static Http1Body of(Http1Connection connection, Headers headers) throws UnclearEnd {
    if (!Framing.isClear(headers)) {
      throw new UnclearEnd();
    }
    if (headers.first("transfer-encoding").isPresent()) {
      return new Chunked(connection, headers.first("content-length").isEmpty());
    }
    OptionalLong length = Framing.length(headers);
    return length.isPresent()
        ? new OfLength(connection, length.getAsLong())
        : new UntilClosed(connection);
  }

  /** Whether all of it was read and the next answer begins behind it. */
  abstract boolean isWhole();

  /** Whether all of it was read, whatever follows. */
  boolean isComplete() {
    return isWhole();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] into, int offset, int most) throws IOException;

  static ProtocolException cutOff() {
    return new ProtocolException("the body was cut off");
  }

  private static final class OfLength extends Http1Body {
    private long left;

    OfLength(Http1Connection connection, long length) {
      super(connection);
      left = length;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = connection.read(into, offset, (int) Math.min(most, left));
      if (count < 0) {
        throw cutOff();
      }
      left -= count;
      return count;
    }

    @Override
    boolean isWhole() {
      return left == 0;
    }
  }

  private static final class UntilClosed extends Http1Body {
    private boolean ended;

    UntilClosed(Http1Connection connection) {
      super(connection);
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      int count = connection.read(into, offset, most);
      ended = count < 0;
      return count;
    }

    @Override
    boolean isComplete() {
      return ended;
    }

    @Override
    boolean isWhole() {
      return false;
    }
  }

  private static final class Chunked extends Http1Body {
    private final boolean clear;
    private long left;
    private boolean begun;
    private boolean ended;

    /**
     * @param clear whether nothing else claims to frame it
     */
    Chunked(Http1Connection connection, boolean clear) {
      super(connection);
      this.clear = clear;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      if (left == 0 && !ended) {
        nextChunk();
      }
      if (ended) {
        return -1;
      }
      int count = connection.read(into, offset, (int) Math.min(most, left));
      if (count < 0) {
        throw cutOff();
      }
      left -= count;
      return count;
    }

    private void nextChunk() throws IOException {
      try {
        if (begun && !connection.line(LONGEST_CHUNK_LINE).isEmpty()) {
          throw new ProtocolException("a chunk longer than it says");
        }
        begun = true;
        left = size(connection.line(LONGEST_CHUNK_LINE));
        if (left == 0) {
          skipTrailers();
          ended = true;
        }
      } catch (EOFException _) {
        throw cutOff();
      }
    }

    private static long size(String line) throws ProtocolException {
      int end = line.indexOf(';');
      String digits = (end < 0 ? line : line.substring(0, end)).strip();
      if (digits.isEmpty() || digits.length() > MOST_DIGITS) {
        throw new ProtocolException("a chunk of no size");
      }
      try {
        return HexFormat.fromHexDigitsToLong(digits);
      } catch (NumberFormatException _) {
        throw new ProtocolException("a chunk of no size");
      }
    }

    private void skipTrailers() throws IOException {
      int left = Http1Head.MOST_BYTES;
      for (String line = connection.line(left); !line.isEmpty(); line = connection.line(left)) {
        left -= line.length() + 1;
        if (left < 0) {
          throw new ProtocolException("trailers without end");
        }
      }
    }

    @Override
    boolean isWhole() {
      return ended && clear;
    }

    @Override
    boolean isComplete() {
      return ended;
    }
  }
}
