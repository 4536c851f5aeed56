package dev.comity.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.fetch.ExchangeArchive.ArchiveFailed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ArchiveIndexTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path home;

  private void fill() {
    try (WarcArchive archive =
        WarcArchive.open(
            home, Map.of(), Set.of(), InstantSource.fixed(WarcArchiveTest.NOW), 3_000)) {
      for (int page = 9; page >= 0; page--) {
        archive.keep(
            WarcArchiveTest.page("https://a.example/dir/" + page + "?b=1&a=2", "p" + page % 9));
      }
      archive.keep(
          WarcArchiveTest.exchange(
              "https://b.example/x",
              "no HTTP at all",
              new byte[] {1},
              dev.comity.core.usage.Wishes.NONE));
    }
  }

  @Test
  void a_line_is_the_place_of_its_record() throws IOException {
    fill();
    StringWriter out = new StringWriter();
    assertThat(ArchiveIndex.write(home, out)).isEqualTo(11);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(11).isSorted();
    assertThat(lines.getFirst()).startsWith("example,a)/dir/0?a=2&b=1 20261118040506 {\"url\":");
    for (String line : lines) {
      JsonNode entry = JSON.readTree(line.substring(line.indexOf('{')));
      byte[] file = Files.readAllBytes(home.resolve(entry.get("filename").stringValue()));
      int offset = Integer.parseInt(entry.get("offset").stringValue());
      int length = Integer.parseInt(entry.get("length").stringValue());
      byte[] member = Arrays.copyOfRange(file, offset, offset + length);
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(member))) {
        String record = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(record)
            .startsWith("WARC/1.1\r\nWARC-Type: re")
            .endsWith("\r\n\r\n")
            .containsOnlyOnce("WARC/1.1")
            .contains("WARC-Target-URI: " + entry.get("url").stringValue() + "\r\n");
      }
    }
    assertThat(lines).filteredOn(line -> line.contains("\"mime\":\"warc/revisit\"")).hasSize(1);
    assertThat(lines.getLast()).contains("\"mime\":\"unk\",\"status\":\"-\"");
  }

  @Test
  void lines_are_sorted_also_where_they_do_not_fit_into_memory() throws IOException {
    List<String> seen = new ArrayList<>();
    try (SortedLines lines = new SortedLines(7)) {
      for (int number = 0; number < 100; number++) {
        lines.add("%03d".formatted(number * 37 % 100));
      }
      lines.each(seen::add);
    }
    assertThat(seen).hasSize(100).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void the_hashes_of_a_package_are_those_of_its_files() throws IOException {
    fill();
    Path wacz = home.resolve("site.wacz");
    try (OutputStream out = Files.newOutputStream(wacz)) {
      assertThat(Wacz.write(home, out, "test", WarcArchiveTest.NOW)).isEqualTo(9);
    }
    try (ZipFile zip = new ZipFile(wacz.toFile())) {
      byte[] description = bytes(zip, "datapackage.json");
      JsonNode digest = JSON.readTree(bytes(zip, "datapackage-digest.json"));
      assertThat(digest.get("hash").stringValue())
          .isEqualTo("sha256:" + WarcArchiveTest.sha256(description));
      JsonNode described = JSON.readTree(description);
      assertThat(described.get("profile").stringValue()).isEqualTo("data-package");
      List<String> paths = new ArrayList<>();
      for (JsonNode resource : described.get("resources")) {
        String path = resource.get("path").stringValue();
        paths.add(path);
        byte[] bytes = bytes(zip, path);
        assertThat(resource.get("bytes").longValue()).isEqualTo(bytes.length);
        assertThat(resource.get("hash").stringValue())
            .isEqualTo("sha256:" + WarcArchiveTest.sha256(bytes));
        assertThat(zip.getEntry(path).getMethod()).isEqualTo(ZipEntry.STORED);
      }
      assertThat(paths).contains("indexes/index.cdxj", "pages/pages.jsonl");
      assertThat(paths).hasSize(zip.size() - 2);
      List<String> pages =
          new String(bytes(zip, "pages/pages.jsonl"), StandardCharsets.UTF_8).lines().toList();
      assertThat(pages).hasSize(10);
      assertThat(pages.get(1))
          .contains("\"title\":\"A title\"", "\"ts\":\"2026-11-18T04:05:06.789Z\"");
    }
  }

  private static byte[] bytes(ZipFile zip, String name) throws IOException {
    return zip.getInputStream(zip.getEntry(name)).readAllBytes();
  }

  @Test
  void an_archive_without_a_file_is_named() {
    assertThatThrownBy(() -> ArchiveIndex.write(home.resolve("none"), new StringWriter()))
        .isInstanceOf(ArchiveFailed.class)
        .hasMessageStartingWith("warc is " + home.resolve("none") + ", but no finished WARC file");
  }
}
