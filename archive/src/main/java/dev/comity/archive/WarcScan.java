package dev.comity.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcTargetRecord;

/** Reads the answers of WARC files, one after the other. */
final class WarcScan {
  /** More of an answer's head is not looked at. */
  private static final int LONGEST_HEAD = 64 << 10;

  private WarcScan() {}

  /** Takes an entry, and may fail to write it. */
  @FunctionalInterface
  interface EntryReader {
    void accept(CdxEntry entry) throws IOException;
  }

  /** The finished files of a directory, by name. */
  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(WarcFile.ENDING))
          .sorted()
          .toList();
    }
  }

  /** Hands over the answers of a file. */
  static void read(Path file, EntryReader reader) throws IOException {
    String name = file.getFileName().toString();
    try (WarcReader records = new WarcReader(file)) {
      @Nullable CdxEntry last = null;
      Optional<WarcRecord> next = records.next();
      while (next.isPresent()) {
        WarcRecord record = next.get();
        long start = records.position();
        Optional<CdxEntry> entry = entry(record, start, name);
        Optional<String> title = title(record);
        next = records.next();
        long end = next.isPresent() ? records.position() : Files.size(file);
        if (entry.isPresent()) {
          if (last != null) {
            reader.accept(last);
          }
          last = lengthened(entry.get(), end - start);
        } else if (title.isPresent() && last != null) {
          last = titled(last, title.get());
        }
      }
      if (last != null) {
        reader.accept(last);
      }
    }
  }

  private static CdxEntry lengthened(CdxEntry one, long length) {
    return new CdxEntry(
        one.url(),
        one.at(),
        one.mime(),
        one.status(),
        one.digest(),
        one.offset(),
        length,
        one.file(),
        one.title());
  }

  private static CdxEntry titled(CdxEntry one, String title) {
    return new CdxEntry(
        one.url(),
        one.at(),
        one.mime(),
        one.status(),
        one.digest(),
        one.offset(),
        one.length(),
        one.file(),
        Optional.of(title));
  }

  private static Optional<CdxEntry> entry(WarcRecord record, long offset, String file)
      throws IOException {
    if (!(record instanceof WarcResponse) && !(record instanceof WarcRevisit)) {
      return Optional.empty();
    }
    WarcTargetRecord answer = (WarcTargetRecord) record;
    String head;
    try (InputStream block = record.body().stream()) {
      head = new String(block.readNBytes(LONGEST_HEAD), StandardCharsets.ISO_8859_1);
    }
    String mime = record instanceof WarcRevisit ? "warc/revisit" : mime(head);
    String digest = record.headers().first("WARC-Payload-Digest").orElse("-");
    return Optional.of(
        new CdxEntry(
            answer.target(),
            record.date(),
            mime,
            status(head),
            digest,
            offset,
            0,
            file,
            Optional.empty()));
  }

  /** Not by a parser: a head is kept as it came, and may be no HTTP. */
  private static String status(String head) {
    return head.matches("(?s)HTTP/\\d(\\.\\d)? \\d{3}\\b.*")
        ? head.split(" ", 3)[1].substring(0, 3)
        : "-";
  }

  private static String mime(String head) {
    for (String line : (Iterable<String>) head.lines()::iterator) {
      if (line.isEmpty()) {
        break;
      }
      if (line.regionMatches(true, 0, "content-type:", 0, 13)) {
        String type = line.substring(13).split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.matches("[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+") ? type : "unk";
      }
    }
    return "unk";
  }

  private static Optional<String> title(WarcRecord record) throws IOException {
    if (!(record instanceof WarcMetadata)) {
      return Optional.empty();
    }
    try (InputStream block = record.body().stream()) {
      return new String(block.readNBytes(LONGEST_HEAD), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("title: "))
          .map(line -> line.substring("title: ".length()))
          .findFirst();
    }
  }
}
