package dev.comity.archive;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts lines by their bytes in bounded memory: a full batch goes sorted into a temporary file, and
 * the files are merged. Lines are ASCII, so their characters sort as their bytes.
 */
final class SortedLines implements AutoCloseable {
  private final int most;
  private final List<Path> runs = new ArrayList<>();
  private List<String> batch = new ArrayList<>();

  /**
   * @param most how many lines are kept in memory
   */
  SortedLines(int most) {
    this.most = most;
  }

  void add(String line) throws IOException {
    batch.add(line);
    if (batch.size() >= most) {
      Collections.sort(batch);
      Path run = Files.createTempFile("comity-index", ".lines");
      runs.add(run);
      try (BufferedWriter out = Files.newBufferedWriter(run)) {
        for (String each : batch) {
          out.write(each);
          out.write('\n');
        }
      }
      batch = new ArrayList<>();
    }
  }

  /** Takes a line, and may fail to write it. */
  @FunctionalInterface
  interface LineReader {
    void accept(String line) throws IOException;
  }

  /** One sorted file and its next line. */
  private record Run(BufferedReader in, String line) {}

  /** Hands over all lines in their order. */
  void each(LineReader reader) throws IOException {
    Collections.sort(batch);
    if (runs.isEmpty()) {
      for (String line : batch) {
        reader.accept(line);
      }
      return;
    }
    if (!batch.isEmpty()) {
      Path run = Files.createTempFile("comity-index", ".lines");
      runs.add(run);
      Files.write(run, batch, StandardCharsets.UTF_8);
    }
    PriorityQueue<Run> heads = new PriorityQueue<>(Comparator.comparing(Run::line));
    List<BufferedReader> open = new ArrayList<>();
    try {
      for (Path run : runs) {
        BufferedReader in = Files.newBufferedReader(run);
        open.add(in);
        next(in, heads);
      }
      for (Run first = heads.poll(); first != null; first = heads.poll()) {
        reader.accept(first.line());
        next(first.in(), heads);
      }
    } finally {
      for (BufferedReader in : open) {
        in.close();
      }
    }
  }

  private static void next(BufferedReader in, PriorityQueue<Run> heads) throws IOException {
    @Nullable String line = in.readLine();
    if (line != null) {
      heads.add(new Run(in, line));
    }
  }

  /** Removes the temporary files. */
  @Override
  public void close() throws IOException {
    for (Path run : runs) {
      Files.deleteIfExists(run);
    }
  }
}
