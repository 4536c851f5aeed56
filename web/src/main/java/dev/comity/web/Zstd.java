package dev.comity.web;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;

/**
 * Undoes zstd with the reference implementation, which is native: it comes for most machines, and
 * where it cannot be loaded, zstd is not offered.
 */
final class Zstd {
  /**
   * RFC 9659 lets a body ask for a window of 8 MiB. A frame may claim any size, and it is set aside
   * before the first byte is decoded.
   */
  private static final int LARGEST_WINDOW_LOG = 23;

  private Zstd() {}

  /** Loaded at the first request, not when the program starts. */
  private static final class Loaded {
    static final boolean LOADED = load();

    private static boolean load() {
      try {
        Native.load();
        return Native.isLoaded();
      } catch (LinkageError notForThisMachine) {
        return false;
      }
    }
  }

  static boolean isAvailable() {
    return Loaded.LOADED;
  }

  static InputStream decoding(InputStream in) throws IOException {
    if (!isAvailable()) {
      throw new IOException("zstd cannot be undone here");
    }
    ZstdInputStreamNoFinalizer zstd = new ZstdInputStreamNoFinalizer(in);
    zstd.setLongMax(LARGEST_WINDOW_LOG);
    return zstd;
  }
}
