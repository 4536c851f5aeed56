package dev.comity.web.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;

/** The content codings we accept. */
enum ContentCoding {
  GZIP {
    @Override
    InputStream decoding(PushbackInputStream in) throws IOException {
      return new GZIPInputStream(in, BUFFER);
    }
  },
  BROTLI {
    @Override
    InputStream decoding(PushbackInputStream in) throws IOException {
      return new BrotliInputStream(in);
    }
  },
  ZSTD {
    @Override
    InputStream decoding(PushbackInputStream in) throws IOException {
      return Zstd.decoding(in);
    }
  },
  DEFLATE {
    @Override
    InputStream decoding(PushbackInputStream in) throws IOException {
      Inflater inflater = new Inflater(!hasZlibHeader(in));
      return new InflaterInputStream(in, inflater, BUFFER) {
        @Override
        public void close() throws IOException {
          super.close();
          inflater.end();
        }
      };
    }
  };

  /** More layers than this only serve to cost us work. */
  static final int MOST_LAYERS = 2;

  private static final int BUFFER = 8192;

  abstract InputStream decoding(PushbackInputStream in) throws IOException;

  /** What we offer in Accept-Encoding: the codings this machine can decode. */
  static String offered() {
    return Zstd.isAvailable() ? "gzip, br, zstd, deflate" : "gzip, br, deflate";
  }

  /**
   * The codings of a body in the order they must be undone, the outermost first; empty where one is
   * unknown.
   *
   * @param names in the order they were applied
   */
  static Optional<List<ContentCoding>> layers(List<String> names) {
    List<ContentCoding> layers = new ArrayList<>(1);
    for (String name : names) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "gzip", "x-gzip" -> layers.add(GZIP);
        case "br" -> layers.add(BROTLI);
        case "zstd" -> layers.add(ZSTD);
        case "deflate" -> layers.add(DEFLATE);
        case "", "identity" -> {
          // The identity coding changes nothing.
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    Collections.reverse(layers);
    return Optional.of(layers);
  }

  /** Undoes this coding. A body of no bytes at all was never coded, whatever its header says. */
  InputStream decoded(InputStream in) throws IOException {
    PushbackInputStream ahead = new PushbackInputStream(in, 2);
    int first = ahead.read();
    if (first < 0) {
      return ahead;
    }
    ahead.unread(first);
    return decoding(ahead);
  }

  /** "deflate" should come with a zlib header, but there always were servers that leave it out. */
  private static boolean hasZlibHeader(PushbackInputStream in) throws IOException {
    byte[] head = in.readNBytes(2);
    in.unread(head);
    return head.length == 2
        && (head[0] & 0x0f) == 8
        && ((head[0] & 0xff) << 8 | (head[1] & 0xff)) % 31 == 0;
  }
}
