package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What pages hold, from the wire to the file and the screen. */
class HostileContentTest {
  @TempDir private Path directory;

  @Test
  void nulls_and_halves_of_characters_are_stored_and_come_out_as_one_line() throws IOException {
    byte[] html =
        "<title>a\0b\u202ec&#0;d&#xDC00;</title><a href='/x\0\u202e\u0007&#xD800;y'>z\0"
            .getBytes(StandardCharsets.UTF_8);
    try (Site site = Site.open().reply("/", Replies.ok("text/html; charset=utf-8", html))) {
      PageFile file = crawl(site, "--text");
      JsonNode page = file.page(site.url("/"));
      assertThat(page.get("title").stringValue()).isEqualTo("ab\u202ec\ufffdd\ufffd");
      assertThat(page.get("text").stringValue()).isEqualTo("z");
      assertThat(file.text()).contains("\\u202E").doesNotContain("\u202e", "\0", "\\u0000");
      assertThat(site.asked()).contains("/x%EF%BF%BD%E2%80%AE%07%EF%BF%BDy");
      Path csv = directory.resolve("pages.csv");
      String out = csv.toString();
      Commands.run("export", "pages", "--format", "csv", "--data", data(), "--out", out);
      assertThat(Files.readString(csv)).contains("ab\u202ec\ufffdd\ufffd").doesNotContain("\0");
    }
  }

  @Test
  void links_that_are_too_long_are_left_out_and_counted_in_the_last_line() {
    String html =
        "<a href='/%s'><a href='/?%s'><a href='/%%zz'>"
            .formatted("x".repeat(1_000_000), "p=1&".repeat(100_000));
    try (Site site = Site.open().reply("/", Replies.html(html)).page("/%25zz", "Broken escape")) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0");
      assertThat(said.lastLine())
          .startsWith("done: 2 pages (2 × 200), 2 links left out (too long or too many) in ");
      assertThat(site.asked()).containsExactly("/robots.txt", "/", "/%25zz");
    }
  }

  @Test
  void a_page_that_asks_not_to_be_kept_is_counted_but_neither_its_title_nor_its_text_is_kept() {
    String html = "<meta name=robots content=noindex><title>secret</title><p>hidden <a href=/b>on";
    try (Site site = Site.open().reply("/", Replies.html(html)).page("/b", "B")) {
      for (String way : List.of("--data=" + data(), "--ephemeral")) {
        PageFile file = new PageFile(directory.resolve("pages.jsonl"));
        Commands.run(
            "crawl",
            site.url("/"),
            "--delay=0",
            "--text",
            "--purpose=search",
            way,
            "--out=" + file.path());
        assertThat(file.statuses()).containsOnlyKeys(site.url("/"), site.url("/b"));
        assertThat(file.text()).doesNotContain("secret", "hidden").contains("\"title\":\"B\"");
      }
    }
  }

  /**
   * Names that would lead out of a directory, or to a device, if anything were named after them.
   */
  @Test
  void whatever_a_site_calls_its_pages_a_crawl_writes_its_own_files_only() throws IOException {
    String[] names = {
      "/../../etc/passwd",
      "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      "/..%5c..%5cboot.ini",
      "/con.txt",
      "/a%00.html",
      "/~/.ssh/id_rsa",
      "/comity.db"
    };
    String attached =
        Replies.ok(
            "text/html",
            Site.html("../../evil", names).getBytes(StandardCharsets.UTF_8),
            "Content-Disposition: attachment; filename=\"../../evil.html\"",
            "Content-Location: ../../evil");
    try (Site site = Site.open().reply("/", attached)) {
      for (String name : names) {
        site.reply(name.replace("/../..", ""), attached);
      }
      crawl(site, "--text");
      assertThat(site.asked()).hasSize(2 + names.length);
    }
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile).map(directory::relativize))
          .map(Path::toString)
          .allMatch(
              name ->
                  name.matches(
                      "pages\\.jsonl|data/(comity\\.db(-wal|-shm)?|operator-signal|[a-z.-]*lock)"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "image/svg+xml", "image/gif", "application/octet-stream"})
  void a_page_that_poses_as_an_image_is_never_read_as_a_page(String type) {
    byte[] posing = "GIF89a<svg/><html><a href=/inside>x</a>".getBytes(StandardCharsets.UTF_8);
    try (Site site =
        Site.open().page("/", "Home", "/posing").reply("/posing", Replies.ok(type, posing))) {
      Said said = Commands.crawl(site.url("/"), "--delay", "0");
      assertThat(site.asked()).containsExactly("/robots.txt", "/", "/posing");
      assertThat(said.lastLine()).startsWith("done: 1 page (1 × 200), 1 URL skipped (not HTML: 1 ");
    }
  }

  private PageFile crawl(Site site, String... more) {
    PageFile file = new PageFile(directory.resolve("pages.jsonl"));
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "crawl", site.url("/"), "--delay=0", "--data", data(), "--out=" + file.path()),
                Stream.of(more))
            .toList();
    Said said = Commands.run(arguments.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return file;
  }

  private String data() {
    return directory.resolve("data").toString();
  }
}
