package dev.comity.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.ExchangeArchive.ArchiveFailed;
import dev.comity.core.port.fetch.ExchangeArchive.ArchivedExchange;
import dev.comity.core.port.fetch.WireExchange;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageSignal;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.archive.io.ArchiveReader;
import org.archive.io.ArchiveRecord;
import org.archive.io.warc.WARCReaderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read by another program's reader. */
class WarcArchiveTest {
  static final Instant NOW = Instant.parse("2026-11-18T04:05:06.789Z");

  @TempDir private Path home;

  private WarcArchive open(Purpose... purposes) {
    return WarcArchive.open(
        home, Map.of("software", "test"), Set.of(purposes), InstantSource.fixed(NOW), 1 << 30);
  }

  static ArchivedExchange exchange(String url, String head, byte[] body, Wishes wishes) {
    byte[] start = (head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer answer = ByteBuffer.allocate(start.length + body.length).put(start).put(body);
    return new ArchivedExchange(
        (CrawlUrl) CrawlUrl.parse(url),
        Kind.PAGE,
        NOW,
        Duration.ofMillis(12),
        1,
        Optional.empty(),
        Optional.of("A title"),
        wishes,
        new WireExchange(
            ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
            answer.flip(),
            start.length,
            body.length,
            sha256(body),
            Optional.empty(),
            Optional.of("192.0.2.1")));
  }

  static ArchivedExchange page(String url, String text) {
    return exchange(
        url,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8",
        text.getBytes(StandardCharsets.UTF_8),
        Wishes.NONE);
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** As the other reader sees a record. */
  record Seen(Map<String, Object> header, String text) {
    String get(String name) {
      return String.valueOf(header.get(name));
    }
  }

  private List<Seen> seen() throws IOException {
    List<Seen> seen = new ArrayList<>();
    for (Path file : files()) {
      assertThat(file.toString()).endsWith(".warc.gz");
      try (ArchiveReader reader = WARCReaderFactory.get(file.toFile())) {
        for (ArchiveRecord record : reader) {
          // Not readAllBytes: this reader answers a read of no bytes with its end.
          ByteArrayOutputStream block = new ByteArrayOutputStream();
          record.transferTo(block);
          seen.add(
              new Seen(
                  record.getHeader().getHeaderFields(),
                  block.toString(StandardCharsets.ISO_8859_1)));
        }
      }
    }
    return seen;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.sorted().toList();
    }
  }

  private static Stream<Seen> of(List<Seen> seen, String type) {
    return seen.stream().filter(one -> one.get("WARC-Type").equals(type));
  }

  @Test
  void another_reader_sees_every_record_and_its_bytes() throws IOException {
    byte[] packed = new byte[50_000];
    new java.util.SplittableRandom(1).nextBytes(packed);
    try (WarcArchive archive = open()) {
      archive.keep(page("https://a.example/", "<title>Hi</title>" + "x".repeat(100_000)));
      archive.keep(
          exchange(
              "https://a.example/z",
              "HTTP/1.1 200 OK\r\ncontent-encoding: br",
              packed,
              Wishes.NONE));
      archive.keep(page("https://a.example/2", "two"));
    }
    List<Seen> seen = seen();
    assertThat(seen)
        .extracting(one -> one.get("WARC-Type"))
        .containsExactly(
            "warcinfo",
            "response",
            "request",
            "metadata",
            "response",
            "request",
            "metadata",
            "response",
            "request",
            "metadata");
    assertThat(seen).extracting(one -> one.get("WARC-Record-ID")).doesNotHaveDuplicates();
    assertThat(seen.get(1).text()).endsWith("\r\n\r\n<title>Hi</title>" + "x".repeat(100_000));
    assertThat(seen.get(4).text()).endsWith(new String(packed, StandardCharsets.ISO_8859_1));
    assertThat(seen.get(4).get("WARC-Payload-Digest")).isEqualTo("sha256:" + sha256(packed));
    assertThat(seen.get(4).get("WARC-IP-Address")).isEqualTo("192.0.2.1");
    assertThat(seen.get(4).get("WARC-Date")).isEqualTo("2026-11-18T04:05:06.789Z");
    assertThat(seen.get(3).text()).contains("kind: page\r\n", "title: A title\r\n");
    assertThat(seen.getFirst().text()).contains("software: test\r\n");
    // 100,000 times the same character are packed, random bytes are stored.
    assertThat(Files.size(files().getFirst())).isBetween(50_000L, 58_000L);
  }

  @Test
  void a_body_of_any_length_is_stored_whole() throws IOException {
    List<Integer> lengths = List.of(0, 1, 1023, 1024, 64_000, 65_535, 65_536, 131_070, 200_000);
    try (WarcArchive archive = open()) {
      for (int length : lengths) {
        byte[] bytes = new byte[length];
        new java.util.SplittableRandom(length).nextBytes(bytes);
        String head = "HTTP/1.1 200 OK\r\nContent-Type: image/png";
        archive.keep(exchange("https://a.example/" + length, head, bytes, Wishes.NONE));
      }
    }
    for (Seen one : of(seen(), "response").toList()) {
      String url = one.get("WARC-Target-URI");
      int length = Integer.parseInt(url.substring(url.lastIndexOf('/') + 1));
      byte[] bytes = new byte[length];
      new java.util.SplittableRandom(length).nextBytes(bytes);
      assertThat(one.text()).endsWith("\r\n\r\n" + new String(bytes, StandardCharsets.ISO_8859_1));
    }
    assertThat(of(seen(), "response")).hasSameSizeAs(lengths);
  }

  @Test
  void a_payload_that_is_there_already_is_a_revisit() throws IOException {
    try (WarcArchive archive = open()) {
      archive.keep(page("https://a.example/1", "same"));
      archive.keep(page("https://a.example/2", "same"));
      archive.keep(page("https://a.example/3", ""));
      archive.keep(page("https://a.example/4", ""));
    }
    List<Seen> seen = seen();
    assertThat(of(seen, "response")).hasSize(3);
    assertThat(of(seen, "revisit"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.get("WARC-Profile"))
                  .isEqualTo("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
              assertThat(one.get("WARC-Refers-To-Target-URI")).isEqualTo("https://a.example/1");
              assertThat(one.get("WARC-Refers-To-Date")).isEqualTo("2026-11-18T04:05:06.789Z");
              assertThat(one.get("WARC-Target-URI")).isEqualTo("https://a.example/2");
              assertThat(one.text()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\n");
            });
  }

  @Test
  void a_page_that_refuses_archives_leaves_its_head_only() throws IOException {
    Wishes refusing =
        Wishes.of(List.of(new Wish(UsageSignal.NO_ARCHIVE, Wish.FoundIn.META, "noarchive")));
    byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);
    try (WarcArchive archive = open(Purpose.ARCHIVE)) {
      archive.keep(exchange("https://a.example/", "HTTP/1.1 200 OK", secret, refusing));
    }
    Seen kept = of(seen(), "response").findFirst().orElseThrow();
    assertThat(kept.text()).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
    assertThat(kept.get("WARC-Truncated")).isEqualTo("unspecified");
    assertThat(of(seen(), "metadata").findFirst().orElseThrow().text())
        .contains("withheld: refused for archive: ");
    try (WarcArchive archive = open(Purpose.RESEARCH)) {
      archive.keep(exchange("https://a.example/", "HTTP/1.1 200 OK", secret, refusing));
    }
    assertThat(of(seen(), "response")).anySatisfy(one -> assertThat(one.text()).endsWith("secret"));
  }

  @Test
  void a_full_file_gives_way_to_the_next() throws IOException {
    try (WarcArchive archive =
        WarcArchive.open(home, Map.of(), Set.of(), InstantSource.fixed(NOW), 3_000)) {
      for (int page = 0; page < 12; page++) {
        archive.keep(page("https://a.example/" + page, "page " + page));
      }
    }
    assertThat(files()).hasSizeGreaterThan(2);
    assertThat(files().getFirst().getFileName())
        .hasToString("comity-20261118040506789-00001.warc.gz");
    assertThat(of(seen(), "response")).hasSize(12);
    assertThat(of(seen(), "warcinfo")).hasSize(files().size());
  }

  @Test
  void a_file_cut_anywhere_is_cut_back_to_its_last_whole_record() throws IOException {
    try (WarcArchive archive = open()) {
      for (int page = 0; page < 4; page++) {
        archive.keep(page("https://a.example/" + page, "page " + page));
      }
    }
    Path whole = files().getFirst();
    byte[] bytes = Files.readAllBytes(whole);
    Files.delete(whole);
    int most = 0;
    for (int length = 0; length <= bytes.length; length += 7) {
      Path left = home.resolve("comity-1-00001.warc.gz.open");
      Files.write(left, java.util.Arrays.copyOf(bytes, length));
      try (WarcArchive archive = open()) {
        assertThat(archive.repaired()).isEqualTo(1);
      }
      List<Seen> seen = seen();
      assertThat(seen.size()).isGreaterThanOrEqualTo(most);
      most = seen.size();
      for (Path file : files()) {
        assertThat(bytes).startsWith(Files.readAllBytes(file));
        Files.delete(file);
      }
    }
    assertThat(most).isGreaterThanOrEqualTo(12);
  }

  @Test
  void a_file_that_is_being_written_is_left_alone() throws IOException {
    try (WarcArchive first = open()) {
      first.keep(page("https://a.example/1", "one"));
      try (WarcArchive second = open()) {
        assertThat(second.repaired()).isZero();
        second.keep(page("https://a.example/2", "two"));
        first.keep(page("https://a.example/3", "three"));
      }
    }
    assertThat(files()).hasSize(2);
    assertThat(of(seen(), "response")).hasSize(3);
  }

  @Test
  void what_cannot_be_written_is_named_and_so_is_everything_after_it() throws IOException {
    WarcArchive archive = open();
    Files.delete(home);
    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(() -> archive.keep(page("https://a.example/", "text")))
          .isInstanceOf(ArchiveFailed.class)
          .hasMessageStartingWith("cannot write the archive in " + home + " any further: ");
    }
    archive.close();
    Files.createDirectory(home);
  }
}
