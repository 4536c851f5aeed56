package dev.comity.web.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Counts what passes, lets no more than its cap through, and remembers if the source failed. Asked
 * to, it keeps what passes.
 */
final class CappedStream extends FilterInputStream {
  private static final int FIRST_KEPT = 8 << 10;

  private final long cap;
  private long passed;
  private int mostKept;
  private byte[] kept = {};
  private Optional<IOException> failure = Optional.empty();

  CappedStream(InputStream in, long cap) {
    super(in);
    this.cap = cap;
  }

  /** More came than was allowed. */
  static final class OverCap extends IOException {}

  /** Keeps what passes, if that is no more than this. */
  void keepUpTo(int most) {
    mostKept = most;
    kept = new byte[Math.min(most, FIRST_KEPT)];
  }

  /** How many bytes of memory are used for what is kept. */
  int kept() {
    return kept.length;
  }

  /** All that has passed, if it was kept. */
  Optional<byte[]> received() {
    return kept.length == 0 || passed > mostKept
        ? Optional.empty()
        : Optional.of(Arrays.copyOf(kept, (int) passed));
  }

  private void keep(byte[] bytes, int offset, int count) {
    long all = passed + count;
    if (count <= 0 || kept.length == 0 || all > mostKept) {
      return;
    }
    if (all > kept.length) {
      kept = Arrays.copyOf(kept, (int) Math.min(mostKept, 2 * all));
    }
    System.arraycopy(bytes, offset, kept, (int) passed, count);
  }

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
    keep(bytes, offset, count);
    passed += Math.max(count, 0);
    if (passed > cap) {
      throw new OverCap();
    }
    return count;
  }
}
