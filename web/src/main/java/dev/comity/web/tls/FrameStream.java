package dev.comity.web.tls;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * HTTP/2 as it is read. Flow control bounds what a server sends as bodies; nothing bounds headers,
 * pings, settings and empty frames, and the client keeps or answers each of them. So every request
 * allows for so many bytes of those, and a server that sends more is no longer listened to.
 */
final class FrameStream extends FilterInputStream {
  /** The client itself takes 256 KiB of headers for an answer; the rest is for everything else. */
  static final long FOR_A_REQUEST = 512 * 1024;

  private static final int HEAD = 9;
  private static final int DATA = 0;

  private final AtomicLong allowed;
  private final byte[] head = new byte[HEAD];
  private int filled;
  private int payload;

  FrameStream(InputStream in, AtomicLong allowed) {
    super(in);
    this.allowed = allowed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    int end = offset + Math.max(count, 0);
    for (int at = offset; at < end; ) {
      if (payload > 0) {
        int passed = Math.min(payload, end - at);
        payload -= passed;
        at += passed;
      } else {
        head[filled++] = bytes[at++];
        if (filled == HEAD) {
          filled = 0;
          frameBegins();
        }
      }
    }
    return count;
  }

  private void frameBegins() throws IOException {
    payload = ((head[0] & 0xff) << 16) | ((head[1] & 0xff) << 8) | (head[2] & 0xff);
    boolean isBody = head[3] == DATA && payload > 0;
    if (!isBody && allowed.addAndGet(-(HEAD + payload)) < 0) {
      throw new TooManyFrames();
    }
  }
}
