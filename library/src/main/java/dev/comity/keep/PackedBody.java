package dev.comity.keep;

import dev.comity.core.outcome.Body;
import dev.comity.web.http.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/**
 * Bodies as a store keeps them: packed by gzip as they came, or else a frame of zstd, or a stream
 * of zlib where zstd cannot be loaded. Their first bytes tell them apart.
 */
public final class PackedBody {
  /** A body is no longer than the page limit; a damaged store must not take more. */
  private static final int LONGEST = 1 << 30;

  private static final int ZSTD_MAGIC = 0x28;

  private static final int GZIP_MAGIC = 0x1f;

  /** The trailer of gzip: CRC and length of what is packed, four bytes each. */
  private static final int TRAILER = 8;

  private PackedBody() {}

  public static Body pack(Body body) {
    Optional<byte[]> received = body.received().filter(gzip -> isTrailedBy(gzip, body));
    if (received.isPresent()) {
      return Body.of(received.get());
    }
    return Zstd.isAvailable() ? Body.of(Zstd.compressed(body.bytes())) : Body.of(deflated(body));
  }

  /**
   * Whether the trailer is that of this body. What comes after one member of gzip, or before
   * another, is read differently by one reader and the next.
   */
  private static boolean isTrailedBy(byte[] gzip, Body body) {
    if (gzip.length < TRAILER) {
      return false;
    }
    CRC32 crc = new CRC32();
    crc.update(body.bytes());
    return trailer(gzip) == (((long) body.length() << 32) | crc.getValue());
  }

  private static long trailer(byte[] gzip) {
    return ByteBuffer.wrap(gzip, gzip.length - TRAILER, TRAILER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong();
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
      Body body = Body.of(in.readNBytes(length(packed)));
      if (isGzip(packed) && !isTrailedBy(packed, body)) {
        throw new IOException("its bytes have another sum than when they came");
      }
      return body;
    } catch (IOException damaged) {
      throw new UncheckedIOException("a page in the data directory is damaged", damaged);
    }
  }

  private static boolean isGzip(byte[] packed) {
    return packed.length >= TRAILER && packed[0] == GZIP_MAGIC;
  }

  /** As many bytes as the trailer says: no further member of gzip counts. */
  private static int length(byte[] packed) {
    return isGzip(packed) ? Math.clamp(trailer(packed) >>> 32, 0, LONGEST) : LONGEST;
  }

  private static InputStream opened(byte[] packed) throws IOException {
    InputStream bytes = new ByteArrayInputStream(packed);
    if (isGzip(packed)) {
      return new GZIPInputStream(bytes);
    }
    return packed.length > 0 && packed[0] == ZSTD_MAGIC
        ? Zstd.decoding(bytes)
        : new InflaterInputStream(bytes);
  }
}
