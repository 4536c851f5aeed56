package dev.comity.app.output;

import dev.comity.app.settings.WrongSetting;
import dev.comity.web.http.Zstd;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Where lines are written: a file, or standard output for {@code -}. */
public final class PageOutput {
  public static final String STANDARD_OUTPUT = "-";

  private static final int BUFFER = 1 << 16;

  private PageOutput() {}

  /**
   * Opens it, replacing what was there.
   *
   * @throws WrongSetting if it cannot be written to
   */
  static Writer open(String name) {
    // Not System.out: it hides a closed pipe, and the crawl would go on.
    return writer(
        name.equals(STANDARD_OUTPUT)
            ? new FileOutputStream(FileDescriptor.out)
            : file(Path.of(name)));
  }

  /**
   * Opens it, replacing what was there; a name that ends in {@code .gz} or {@code .zst} is packed.
   *
   * @throws WrongSetting if it cannot be written to
   */
  public static Writer packed(String name) throws IOException {
    String ending = name.toLowerCase(Locale.ROOT);
    if (ending.endsWith(".gz")) {
      return writer(new GZIPOutputStream(file(Path.of(name)), BUFFER));
    }
    if (ending.endsWith(".zst")) {
      if (!Zstd.isAvailable()) {
        throw new WrongSetting(
            "out is %s, but this machine cannot pack with zstd: name a file that ends in .gz"
                .formatted(name));
      }
      return writer(Zstd.encoding(file(Path.of(name))));
    }
    return open(name);
  }

  /**
   * Opens a file of bytes, replacing what was there.
   *
   * @throws WrongSetting if it cannot be written to
   */
  public static OutputStream bytes(String name) {
    return file(Path.of(name));
  }

  private static OutputStream file(Path path) {
    try {
      return Files.newOutputStream(path);
    } catch (IOException failed) {
      throw refused(path, failed);
    }
  }

  static WrongSetting refused(Path path, IOException failed) {
    String why =
        switch (failed) {
          case NoSuchFileException _ -> "its directory does not exist";
          case AccessDeniedException _ -> "access is denied";
          default -> Files.isDirectory(path) ? "it is a directory" : "the system refuses it";
        };
    return new WrongSetting(
        "cannot write to " + path + ": " + why + "; name another file with --out");
  }

  /**
   * Not Files.newBufferedWriter: it throws over half a surrogate pair, which a remote title may
   * well hold.
   */
  static Writer writer(OutputStream out) {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }
}
