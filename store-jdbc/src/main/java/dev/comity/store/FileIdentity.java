package dev.comity.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which file was at a path once.
 *
 * @param key what the system tells its files apart by; null where it has none
 */
public record FileIdentity(Path path, @Nullable Object key) {
  /**
   * The file that is there now.
   *
   * @throws StoreUnusable if none is
   */
  static FileIdentity of(Path path) {
    try {
      return new FileIdentity(path, keyOf(path));
    } catch (IOException failed) {
      throw new StoreUnusable("cannot find " + path + ": " + failed.getMessage(), failed);
    }
  }

  /** Whether it is certain that this file is not there any more. */
  public boolean isGone() {
    try {
      return !Objects.equals(keyOf(path), key);
    } catch (NoSuchFileException _) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }
}
