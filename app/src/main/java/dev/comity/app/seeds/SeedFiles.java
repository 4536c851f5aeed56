package dev.comity.app.seeds;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Opens files of seeds, standard input among them. */
public record SeedFiles(SeedFormat format, InputStream standardInput) {
  /** Standard input as a file. */
  static final String STANDARD_INPUT = "-";

  /** What a file is called in words. */
  static String spoken(String name) {
    return name.equals(STANDARD_INPUT) ? "standard input" : Printable.text(name);
  }

  /**
   * Reads one to its end.
   *
   * @throws WrongSetting if it cannot be read
   */
  public void read(String name, SeedReader.Taker taker) {
    try {
      if (name.equals(STANDARD_INPUT)) {
        new SeedReader(format, taker).read(standardInput);
        return;
      }
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new WrongSetting("seeds: " + spoken(name) + " is a directory; name a file in it");
      }
      try (InputStream bytes = Files.newInputStream(path)) {
        new SeedReader(format, taker).read(bytes);
      }
    } catch (IOException | InvalidPathException failed) {
      throw new WrongSetting("seeds: " + spoken(name) + " cannot be read (" + why(failed) + ")");
    }
  }

  /** The system's own words are often no more than the name again. */
  private static String why(Exception failed) {
    return switch (failed) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "access is denied";
      case EOFException _ -> "it is packed with gzip and ends too soon";
      case ZipException _ -> "it is packed with gzip and damaged";
      default -> failed.getClass().getSimpleName();
    };
  }
}
