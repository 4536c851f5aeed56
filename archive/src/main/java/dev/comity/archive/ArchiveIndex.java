package dev.comity.archive;

import dev.comity.core.port.fetch.ExchangeArchive.ArchiveFailed;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The index of an archive in CDXJ: a sorted line for each answer, with its place. */
public final class ArchiveIndex {
  /** About 30 MB of lines. */
  private static final int LINES_IN_MEMORY = 100_000;

  private ArchiveIndex() {}

  /**
   * The finished files of an archive.
   *
   * @throws ArchiveFailed if there is none
   */
  static List<Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw none(directory);
    }
    List<Path> files = WarcScan.files(directory);
    if (files.isEmpty()) {
      throw none(directory);
    }
    return files;
  }

  private static ArchiveFailed none(Path directory) {
    return new ArchiveFailed(
        "warc is %s, but no finished WARC file is there: crawl with --warc first"
            .formatted(directory),
        new IllegalArgumentException());
  }

  /**
   * Writes the index of every finished WARC file in a directory. Memory holds a part of it only.
   *
   * @return how many answers it has
   */
  public static long write(Path directory, Writer out) throws IOException {
    return write(files(directory), out, _ -> {});
  }

  static long write(List<Path> files, Writer out, WarcScan.EntryReader also) throws IOException {
    long[] count = {0};
    try (SortedLines lines = new SortedLines(LINES_IN_MEMORY)) {
      for (Path file : files) {
        WarcScan.read(
            file,
            entry -> {
              lines.add(entry.line());
              also.accept(entry);
              count[0]++;
            });
      }
      lines.each(line -> out.append(line).append('\n'));
    }
    return count[0];
  }
}
