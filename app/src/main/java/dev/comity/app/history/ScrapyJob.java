package dev.comity.app.history;

import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastUnreadable;
import dev.comity.store.backfill.PastVisit;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the requests that wait in a Scrapy job directory ({@code JOBDIR}). Its file {@code
 * requests.seen} holds hashes of requests: no URL can be read from them, so pages that Scrapy
 * fetched are not known. The queues are files of queuelib: entries with their length behind them
 * (last in, first out), or directories of chunks with the length before each entry.
 */
final class ScrapyJob implements PastFile {
  private static final Pattern CHUNK = Pattern.compile("q\\d{5,}");
  private static final Pattern TAIL =
      Pattern.compile("\"tail\": *\\[ *(\\d{1,9}), *\\d{1,9}, *(\\d{1,15})");

  /** A longer entry is no request. */
  private static final int LONGEST = 10 << 20;

  private static final int LENGTH = 4;

  @Override
  public void read(Path directory, PastRows rows) throws IOException {
    Path queue = directory.resolve("requests.queue");
    if (!Files.isDirectory(queue)) {
      throw new PastUnreadable(
          "the job directory has no directory requests.queue: Scrapy writes it when JOBDIR is set"
              + " and the crawl is stopped");
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(queue)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      String name = queue.relativize(file).toString();
      String own = String.valueOf(file.getFileName());
      if (CHUNK.matcher(own).matches()) {
        chunk(file, name, rows);
      } else if (!own.endsWith(".json")) {
        stack(file, name, rows);
      }
    }
  }

  /** From the end to the beginning: that is the order in which Scrapy would have taken them. */
  private static void stack(Path file, String name, PastRows rows) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long end = in.length();
      for (long number = 1; end > LENGTH; number++) {
        in.seek(end - LENGTH);
        int length = in.readInt();
        if (length < 1 || length > LONGEST || end - LENGTH - length < LENGTH) {
          rows.unreadable(name, number, "the queue is damaged here: an entry has no length");
          return;
        }
        byte[] entry = new byte[length];
        in.seek(end - LENGTH - length);
        in.readFully(entry);
        take(name, number, entry, rows);
        end -= LENGTH + length;
      }
    }
  }

  private static void chunk(Path file, String name, PastRows rows) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      in.skipNBytes(Math.min(consumed(file), Files.size(file)));
      for (long number = 1; ; number++) {
        byte[] header = in.readNBytes(LENGTH);
        if (header.length < LENGTH) {
          return;
        }
        int length = ByteBuffer.wrap(header).getInt();
        if (length < 1 || length > LONGEST) {
          rows.unreadable(name, number, "the queue is damaged here: an entry has no length");
          return;
        }
        take(name, number, in.readNBytes(length), rows);
      }
    }
  }

  /** How much of the chunk was taken out already. */
  private static long consumed(Path chunk) throws IOException {
    Path info = chunk.resolveSibling("info.json");
    if (!Files.exists(info) || Files.size(info) > LONGEST) {
      return 0;
    }
    Matcher tail = TAIL.matcher(Files.readString(info));
    boolean own =
        tail.find()
            && String.valueOf(chunk.getFileName())
                .equals("q%05d".formatted(Long.parseLong(tail.group(1))));
    return own ? Long.parseLong(tail.group(2)) : 0;
  }

  private static void take(String name, long number, byte[] entry, PastRows rows) {
    switch (ScrapyRequest.read(entry)) {
      case ScrapyRequest.Unreadable(String why) -> rows.unreadable(name, number, why);
      case ScrapyRequest.Get(String url) -> rows.listed(name, number, url, PastVisit::queued);
    }
  }
}
