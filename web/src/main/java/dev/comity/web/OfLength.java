package dev.comity.web;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** As many bytes of a stream as a body has; where there are fewer, it was cut off. */
final class OfLength extends FilterInputStream {
  private long left;

  OfLength(InputStream in, long length) {
    super(in);
    left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int most) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = super.read(into, offset, (int) Math.min(most, left));
    if (count < 0) {
      throw Http1Body.cutOff();
    }
    left -= count;
    return count;
  }
}
