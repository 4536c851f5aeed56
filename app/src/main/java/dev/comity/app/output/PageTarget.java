package dev.comity.app.output;

import dev.comity.app.settings.WrongSetting;
import dev.comity.store.report.PageFeed;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;

/** Where a crawl writes its pages: a file that a later process can go on with, or a stream. */
public final class PageTarget implements AutoCloseable {
  private final Writer writer;

  /** The file, where it is one that can be read back and cut: not a pipe or a device. */
  private final Optional<FileChannel> file;

  /**
   * Whether what is there goes as soon as there is something to put in its place. A run that finds
   * nothing to do leaves the file of the one before: that may have ended only because it was done.
   */
  private boolean replaced;

  private PageTarget(OutputStream out, Optional<FileChannel> file) {
    writer = PageOutput.writer(new Replacing(out));
    this.file = file;
  }

  /** Begins anew with the first byte, not before. */
  private final class Replacing extends FilterOutputStream {
    Replacing(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (replaced) {
        anew();
      }
      out.write(bytes, from, length);
    }
  }

  /** Discards the pages. */
  public static PageTarget none() {
    return new PageTarget(OutputStream.nullOutputStream(), Optional.empty());
  }

  /**
   * Opens it and leaves what is there, until it is known whether it belongs to the same run.
   *
   * @throws WrongSetting if it cannot be written to
   */
  public static PageTarget open(String name) {
    if (name.equals(PageOutput.STANDARD_OUTPUT)) {
      return new PageTarget(new FileOutputStream(FileDescriptor.out), Optional.empty());
    }
    refuseOtherFormats(name);
    Path path = Path.of(name);
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        return new PageTarget(Files.newOutputStream(path), Optional.empty());
      }
      FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!isOurs(channel)) {
        channel.close();
        throw new WrongSetting(
            "another crawl writes to %s: wait for it, stop it, or name another file with --out"
                .formatted(path));
      }
      return new PageTarget(Channels.newOutputStream(channel), Optional.of(channel));
    } catch (IOException failed) {
      throw PageOutput.refused(path, failed);
    }
  }

  /** A later crawl goes on with the file, so it is plain JSON Lines, whatever its name promises. */
  private static void refuseOtherFormats(String name) {
    String ending = name.toLowerCase(Locale.ROOT);
    if (ending.endsWith(".gz")) {
      throw new WrongSetting(
          "out is %s, but a crawl writes plain JSON Lines: name a file like pages.jsonl, and write the other one afterwards with `comity export pages --out %s`"
              .formatted(name, name));
    }
  }

  /**
   * Locks the file until it is closed, or until the process ends, however it ends. The lock is on a
   * byte that no page will reach: some systems refuse to read a locked byte.
   */
  private static boolean isOurs(FileChannel channel) {
    try {
      return channel.tryLock(Long.MAX_VALUE - 1, 1, false) != null;
    } catch (OverlappingFileLockException _) {
      return false;
    } catch (IOException _) {
      // This file system has no locks, so no other crawl could be told either.
      return true;
    }
  }

  /** Begins anew. */
  public Writer anew() {
    replaced = false;
    file.ifPresent(channel -> cut(channel, 0));
    return writer;
  }

  /** Goes on after all that is there. */
  public Writer atEnd() {
    file.ifPresent(
        channel -> {
          try {
            channel.position(channel.size());
          } catch (IOException failed) {
            throw PageLines.cannotGoOn(failed);
          }
        });
    return writer;
  }

  /** Goes on, from where {@link #resumeAfter} left it. */
  public Writer onward() {
    return writer;
  }

  /**
   * Makes ready to go on with a run that was begun earlier, or with the file of the one before it.
   *
   * @param continued whether the run was begun earlier: a file with none of its pages is then
   *     written from its first page, otherwise with its first new one
   * @return the number of the last page that is in the file
   */
  public long resumeAfter(PageFeed feed, boolean continued) {
    if (file.isEmpty()) {
      // A pipe cannot be read back: everything before counts as written.
      return feed.newest();
    }
    try {
      FileChannel channel = file.get();
      Optional<WrittenPages.WrittenPage> kept =
          continued || feed.goesOn()
              ? new WrittenPages(channel).lastKnownTo(feed)
              : Optional.empty();
      if (kept.isEmpty() && !continued) {
        replaced = true;
        return feed.newest();
      }
      cut(channel, kept.map(WrittenPages.WrittenPage::end).orElse(0L));
      return kept.map(WrittenPages.WrittenPage::sequence).orElseGet(feed::beforeRun);
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot read the pages written before: " + failed.getMessage(), failed);
    }
  }

  private static void cut(FileChannel channel, long size) {
    try {
      channel.truncate(size);
      channel.position(size);
    } catch (IOException failed) {
      throw PageLines.cannotGoOn(failed);
    }
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException failed) {
      throw PageLines.cannotGoOn(failed);
    }
  }
}
