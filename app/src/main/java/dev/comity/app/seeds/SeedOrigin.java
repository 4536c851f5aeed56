package dev.comity.app.seeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneOffset;

/** What a domain came from, in words that are kept with it. */
public final class SeedOrigin {
  /** Named by a person who started a crawl. */
  public static final String COMMAND_LINE = "command line";

  private SeedOrigin() {}

  /** A file of seeds or a list, with the date of its last change: tomorrow's list is another. */
  public static String file(String name) {
    try {
      Path path = Path.of(name);
      return "%s of %s"
          .formatted(
              path.getFileName(),
              Files.getLastModifiedTime(path).toInstant().atOffset(ZoneOffset.UTC).toLocalDate());
    } catch (IOException | InvalidPathException _) {
      return SeedFiles.spoken(name);
    }
  }
}
