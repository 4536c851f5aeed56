package dev.comity.web.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Counts what passes, lets no more than its cap through, and remembers if the source failed. */
final class CappedStream extends FilterInputStream {
  private final long cap;
  private long passed;
  private Optional<IOException> failure = Optional.empty();

  CappedStream(InputStream in, long cap) {
    super(in);
    this.cap = cap;
  }

  /** More came than was allowed. */
  static final class OverCap extends IOException {}

  long passed() {
    return passed;
  }

  /** What the source itself threw, as opposed to the decoders that read from here. */
  Optional<IOException> failure() {
    return failure;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count;
    try {
      count = super.read(bytes, offset, length);
    } catch (IOException thrown) {
      failure = Optional.of(thrown);
      throw thrown;
    }
    passed += Math.max(count, 0);
    if (passed > cap) {
      throw new OverCap();
    }
    return count;
  }
}
