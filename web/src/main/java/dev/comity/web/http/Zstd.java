package dev.comity.web.http;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Does and undoes zstd with the reference implementation, which is native: it comes for most
 * machines, and where it cannot be loaded, zstd is not offered. Nor is it where the JVM would print
 * a warning for loading it: {@code --enable-native-access=ALL-UNNAMED} allows it.
 */
public final class Zstd {
  /**
   * RFC 9659 lets a body ask for a window of 8 MiB. A frame may claim any size, and it is set aside
   * before the first byte is decoded.
   */
  private static final int LARGEST_WINDOW_LOG = 23;

  /**
   * Contexts for packing, each for one thread at a time. Threads do not wait while packing, so
   * there are as many as processors. To make one takes a fifth of the time of packing a page.
   */
  private static final Queue<ZstdCompressCtx> CONTEXTS = new ConcurrentLinkedQueue<>();

  private Zstd() {}

  /** Loaded at the first request, not when the program starts. */
  private static final class Loaded {
    static final boolean LOADED = load();

    private static boolean load() {
      if (!Native.class.getModule().isNativeAccessEnabled()) {
        return false;
      }
      try {
        Path unpacked = Files.createTempDirectory("comity-zstd");
        try {
          Native.load(unpacked.toFile());
        } finally {
          remove(unpacked);
        }
        return Native.isLoaded();
      } catch (IOException | LinkageError notForThisMachine) {
        return false;
      }
    }

    /**
     * The loaded library no longer needs its file. Removing it now leaves none behind after a kill.
     */
    private static void remove(Path directory) throws IOException {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          Files.delete(file);
        }
        Files.delete(directory);
      } catch (AccessDeniedException inUse) {
        // Not every system deletes a file in use; it is deleted when the process ends.
      }
    }
  }

  /** Whether zstd can be done and undone here. */
  public static boolean isAvailable() {
    return Loaded.LOADED;
  }

  /**
   * The bytes as they were.
   *
   * @throws IOException if they are no zstd, or it cannot be undone here
   */
  public static InputStream decoding(InputStream in) throws IOException {
    if (!isAvailable()) {
      throw new IOException("zstd cannot be undone here");
    }
    ZstdInputStreamNoFinalizer zstd = new ZstdInputStreamNoFinalizer(in);
    zstd.setLongMax(LARGEST_WINDOW_LOG);
    return zstd;
  }

  /** The bytes as one frame, in the fastest way that still saves half. Needs zstd to be there. */
  public static byte[] compressed(byte[] bytes) {
    ZstdCompressCtx context = Optional.ofNullable(CONTEXTS.poll()).orElseGet(ZstdCompressCtx::new);
    try {
      return context.setLevel(1).compress(bytes);
    } finally {
      CONTEXTS.add(context);
    }
  }

  /** Packs what is written. Only where zstd is available. */
  public static OutputStream encoding(OutputStream out) throws IOException {
    return new ZstdOutputStreamNoFinalizer(out);
  }
}
