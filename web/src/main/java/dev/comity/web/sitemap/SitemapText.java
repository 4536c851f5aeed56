package dev.comity.web.sitemap;

import dev.comity.core.outcome.Body;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * The characters of a sitemap, one after the other: unpacked where it is packed, and never more of
 * them than the protocol allows. What cannot be unpacked any further ends there.
 */
final class SitemapText implements Closeable {
  /** How long a sitemap may be once it is unpacked. */
  static final long MOST_BYTES = 50L << 20;

  private static final int BUFFER = 8192;
  private static final int MOST_LAYERS = 2;
  private static final int END = -1;

  private final Bounded bytes;
  private final Reader reader;
  private final char[] buffer = new char[BUFFER];
  private int filled;
  private int at;
  private boolean broken;

  private SitemapText(Bounded bytes, Reader reader, boolean broken) {
    this.bytes = bytes;
    this.reader = reader;
    this.broken = broken;
  }

  static SitemapText of(Body body) {
    InputStream in = new ByteArrayInputStream(body.bytes());
    boolean broken = false;
    try {
      for (int layer = 0; layer < MOST_LAYERS; layer++) {
        PushbackInputStream ahead = new PushbackInputStream(in, 2);
        in = ahead;
        byte[] magic = ahead.readNBytes(2);
        ahead.unread(magic);
        if (magic.length < 2 || magic[0] != 0x1f || magic[1] != (byte) 0x8b) {
          break;
        }
        in = new GZIPInputStream(ahead, BUFFER);
      }
    } catch (IOException notPacked) {
      broken = true;
      in = InputStream.nullInputStream();
    }
    Bounded bounded = new Bounded(in);
    PushbackInputStream ahead = new PushbackInputStream(bounded, 3);
    return new SitemapText(bounded, new InputStreamReader(ahead, charset(ahead)), broken);
  }

  /** By the byte order mark, which is read away; UTF-8 without one, as the protocol wants it. */
  private static Charset charset(PushbackInputStream in) {
    try {
      byte[] mark = in.readNBytes(3);
      int first = mark.length < 2 ? 0 : (mark[0] & 0xff) << 8 | (mark[1] & 0xff);
      boolean utf8 = mark.length == 3 && first == 0xefbb && (mark[2] & 0xff) == 0xbf;
      boolean utf16 = first == 0xfeff || first == 0xfffe;
      if (!utf8) {
        int read = utf16 ? 2 : 0;
        in.unread(mark, read, mark.length - read);
      }
      return utf16
          ? first == 0xfeff ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE
          : StandardCharsets.UTF_8;
    } catch (IOException broken) {
      // The next read fails with it again.
      return StandardCharsets.UTF_8;
    }
  }

  /** The next character, or −1 at the end. */
  int next() {
    int next = peek();
    at += next == END ? 0 : 1;
    return next;
  }

  /** The next character, which stays. */
  int peek() {
    if (at == filled) {
      filled = Math.max(fill(), 0);
      at = 0;
    }
    return at == filled ? END : buffer[at];
  }

  private int fill() {
    if (broken) {
      return END;
    }
    try {
      return reader.read(buffer);
    } catch (IOException cutOff) {
      broken = true;
      return END;
    }
  }

  /** Whether there was more than could be read. */
  boolean wasCut() {
    return broken || bytes.over;
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException nothingToLose) {
      broken = true;
    }
  }

  /** Ends where the cap is. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private long left = MOST_BYTES;
    private boolean over;

    Bounded(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? END : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length > 0 && left == 0) {
        over |= in.read() >= 0;
        return END;
      }
      int count = in.read(target, offset, (int) Math.min(length, left));
      left -= Math.max(count, 0);
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
