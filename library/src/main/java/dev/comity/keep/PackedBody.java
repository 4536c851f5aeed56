package dev.comity.keep;

import dev.comity.core.outcome.Body;
import dev.comity.web.http.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;

/**
 * Bodies as a store keeps them: a frame of zstd, or a stream of zlib where zstd cannot be loaded.
 * Their first bytes tell them apart.
 */
public final class PackedBody {
  /** A body is no longer than the page limit; a damaged store must not take more. */
  private static final int LONGEST = 1 << 30;

  private static final int ZSTD_MAGIC = 0x28;

  private PackedBody() {}

  public static Body pack(Body body) {
    return Zstd.isAvailable() ? Body.of(Zstd.compressed(body.bytes())) : Body.of(deflated(body));
  }

  private static byte[] deflated(Body body) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
      deflater.setInput(body.bytes());
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(body.length() / 2 + 64);
      byte[] buffer = new byte[8_192];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    }
  }

  /**
   * The body as it was.
   *
   * @throws UncheckedIOException if the bytes are damaged
   */
  public static Body unpack(byte[] packed) {
    try (InputStream in = opened(packed)) {
      return Body.of(in.readNBytes(LONGEST));
    } catch (IOException damaged) {
      throw new UncheckedIOException("a page in the data directory is damaged", damaged);
    }
  }

  private static InputStream opened(byte[] packed) throws IOException {
    InputStream bytes = new ByteArrayInputStream(packed);
    return packed.length > 0 && packed[0] == ZSTD_MAGIC
        ? Zstd.decoding(bytes)
        : new InflaterInputStream(bytes);
  }
}
