package dev.comity.store.image;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageFiles;
import dev.comity.store.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of images in a data directory: {@code images/ab/abcdef….jpg}. A name is made of the
 * hash and the type by the bytes, never of remote text. A file is written under another name,
 * forced to the disk and renamed, so that a file under its own name is whole.
 */
public final class ImageDirectory implements ImageFiles {
  /** The folder in the data directory. */
  public static final String FOLDER = "images";

  /** What names of unfinished files end in. */
  static final String UNFINISHED = ".part";

  private static final Duration UNFINISHED_FOR = Duration.ofHours(1);

  private final Path root;

  public ImageDirectory(DataDirectory directory) {
    root = directory.path().resolve(FOLDER);
  }

  /** Whether files of images are kept there. */
  public static boolean isIn(DataDirectory directory) {
    return Files.isDirectory(directory.path().resolve(FOLDER));
  }

  /** Where a file lies, below the data directory. */
  public static String place(String sha256, String ending) {
    return FOLDER + "/" + sha256.substring(0, 2) + "/" + sha256 + "." + ending;
  }

  @Override
  public void keep(ImageFacts image, Body file) {
    String hash = HexFormat.of().formatHex(image.sha256().bytes());
    Path folder = root.resolve(hash.substring(0, 2));
    Path target = folder.resolve(hash + "." + image.ending());
    try {
      if (Files.isRegularFile(target) && Files.size(target) == image.bytes()) {
        return;
      }
      Files.createDirectories(folder);
      Path part = folder.resolve(UUID.randomUUID() + UNFINISHED);
      try {
        write(part, file);
        Files.move(
            part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      force(folder);
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot keep the image file " + target + ": " + failed.getMessage(), failed);
    }
  }

  /** The files of images whose hashes begin with these two digits, as {@link #place} names them. */
  public Set<String> names(String digits) {
    Path folder = root.resolve(digits);
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !isUnfinished(file))
          .map(file -> FOLDER + "/" + digits + "/" + file.getFileName())
          .collect(Collectors.toSet());
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot read " + folder + ": " + failed.getMessage(), failed);
    }
  }

  /**
   * Deletes files that a killed process did not finish: other processes may write here, but none of
   * them takes an hour for a file.
   */
  public void deleteUnfinished(Instant now) {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (Stream<Path> files =
        Files.find(
            root,
            2,
            (file, facts) ->
                isUnfinished(file)
                    && facts.lastModifiedTime().toInstant().isBefore(now.minus(UNFINISHED_FOR)))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException _) {
      // The next crawl tries again; they do no harm.
    }
  }

  private static boolean isUnfinished(Path file) {
    return file.toString().endsWith(UNFINISHED);
  }

  private static void write(Path part, Body file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(file.bytes());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Makes the new name durable, where the system lets a folder be opened. */
  private static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException _) {
      // Not on every system; the doctor names a file that is missing.
    }
  }
}
