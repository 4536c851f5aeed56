package dev.comity.archive;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A WARC file that is being written. It is locked and ends in {@code .open} meanwhile. Not a
 * channel: an interrupt of one thread would close the file for all.
 */
final class WarcFile implements AutoCloseable {
  static final String ENDING = ".warc.gz";
  static final String OPEN = ENDING + ".open";

  private final Path path;
  private final RandomAccessFile file;
  private long size;

  private WarcFile(Path path, RandomAccessFile file) throws IOException {
    this.path = path;
    this.file = file;
    size = file.length();
  }

  /** A new file; empty if there is one of that name. */
  static Optional<WarcFile> create(Path directory, String name) throws IOException {
    Path path = directory.resolve(name + OPEN);
    if (Files.exists(directory.resolve(name + ENDING))) {
      return Optional.empty();
    }
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException _) {
      return Optional.empty();
    }
    return locked(path);
  }

  /** A file that a process left open; empty if it is still being written. */
  static Optional<WarcFile> locked(Path path) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    boolean ours = false;
    try {
      ours = isOurs(file);
      return ours ? Optional.of(new WarcFile(path, file)) : Optional.empty();
    } finally {
      if (!ours) {
        file.close();
      }
    }
  }

  private static boolean isOurs(RandomAccessFile file) {
    try {
      @Nullable FileLock lock = file.getChannel().tryLock(Long.MAX_VALUE - 1, 1, false);
      return lock != null;
    } catch (OverlappingFileLockException _) {
      return false;
    } catch (IOException _) {
      // This file system has no locks, so no other process could be told either.
      return true;
    }
  }

  Path path() {
    return path;
  }

  RandomAccessFile file() {
    return file;
  }

  long size() {
    return size;
  }

  /** Appends all bytes or none. They are with the operating system then, not yet on the disk. */
  void append(byte[] bytes, int length) throws IOException {
    try {
      file.seek(size);
      file.write(bytes, 0, length);
      size += length;
    } catch (IOException failed) {
      cut(size, failed);
      throw failed;
    }
  }

  private void cut(long end, IOException failed) {
    try {
      file.setLength(end);
    } catch (IOException again) {
      // The next start repairs it.
      failed.addSuppressed(again);
    }
  }

  /** Keeps only so many bytes of it. */
  void cutTo(long end) throws IOException {
    file.setLength(end);
    size = end;
  }

  /** Forces it to the disk and gives it its final name. */
  @Override
  public void close() throws IOException {
    try (file) {
      file.getFD().sync();
    }
    String name = path.getFileName().toString();
    Files.move(path, path.resolveSibling(name.substring(0, name.length() - ".open".length())));
  }

  /** Removes it. */
  void discard() throws IOException {
    file.close();
    Files.delete(path);
  }

  /** Leaves it for the next start to repair. */
  void abandon() throws IOException {
    file.close();
  }
}
