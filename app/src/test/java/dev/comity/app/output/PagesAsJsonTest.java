package dev.comity.app.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What {@code --out} promises: every page, one line each, the same fields with the same meaning.
 */
class PagesAsJsonTest {
  @TempDir private Path directory;

  @Test
  void a_file_that_promises_another_format_is_refused_with_the_way_to_it() {
    for (String name : List.of("pages.csv", "pages.jsonl.gz")) {
      Said said = Commands.crawl("http://localhost:1/", "--out", name);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .startsWith("comity: out is " + name + ", but a crawl writes plain JSON Lines")
          .contains("comity export pages --out " + name);
    }
  }

  @Test
  void every_page_found_by_links_is_a_line_with_its_status_depth_and_referrer() {
    try (Site site =
        Site.open()
            .page("/", "Home", "/a", "/b#part", "/b")
            .page("/a", "A", "/c", "/")
            .page("/b", "B")
            .redirect("/c", "/d")
            .page("/d", "D", "/gone")) {
      PageFile pages = crawl(site, "/");
      assertThat(pages.statuses())
          .isEqualTo(
              Map.of(
                  site.url("/"), 200,
                  site.url("/a"), 200,
                  site.url("/b"), 200,
                  site.url("/c"), 302,
                  site.url("/d"), 200,
                  site.url("/gone"), 404));
      assertThat(pages.page(site.url("/")).has("referrer")).isFalse();
      assertLink(pages, site.url("/a"), 1, site.url("/"));
      assertLink(pages, site.url("/c"), 2, site.url("/a"));
      assertLink(pages, site.url("/d"), 2, site.url("/a"));
      assertLink(pages, site.url("/gone"), 3, site.url("/d"));
      assertThat(site.asked())
          .containsExactlyInAnyOrder("/robots.txt", "/", "/a", "/b", "/c", "/d", "/gone");
    }
  }

  @Test
  void a_line_has_these_fields_in_this_order() {
    String html = Site.html("Grüße", "/next");
    try (Site site =
        Site.open()
            .page("/", "Home", "/page")
            .reply("/page", Replies.html(html))
            .page("/next", "N")) {
      Instant before = Instant.now().minusMillis(1);
      JsonNode page = crawl(site, "/").page(site.url("/page"));
      assertThat(page.propertyNames())
          .containsExactly(
              "seq",
              "url",
              "status",
              "depth",
              "referrer",
              "title",
              "content_type",
              "bytes",
              "started_at",
              "first_byte_ms",
              "total_ms");
      assertThat(page.get("title").stringValue()).isEqualTo("Grüße");
      assertThat(page.get("content_type").stringValue()).isEqualTo("text/html; charset=utf-8");
      assertThat(page.get("bytes").intValue())
          .isEqualTo(html.getBytes(StandardCharsets.UTF_8).length);
      assertThat(Instant.parse(page.get("started_at").stringValue()))
          .isBetween(before, Instant.now());
      assertThat(page.get("first_byte_ms").longValue())
          .isBetween(0L, page.get("total_ms").longValue());
    }
  }

  @Test
  void what_an_answer_does_not_have_its_line_does_not_have_either() {
    try (Site site = Site.open().redirect("/", "/gone")) {
      PageFile pages = crawl(site, "/");
      List<String> fields =
          List.of(
              "seq", "url", "status", "depth", "bytes", "started_at", "first_byte_ms", "total_ms");
      List<String> redirected = new ArrayList<>(fields);
      redirected.add(3, "location");
      assertThat(pages.page(site.url("/")).propertyNames()).containsExactlyElementsOf(redirected);
      assertThat(pages.page(site.url("/gone")).propertyNames()).containsExactlyElementsOf(fields);
      assertThat(pages.page(site.url("/")).get("bytes").intValue()).isZero();
    }
  }

  @Test
  void the_text_is_there_only_when_asked_for() {
    try (Site site = Site.open().page("/", "Two  words", "/gone")) {
      assertThat(crawl(site, "/").page(site.url("/")).has("text")).isFalse();
      PageFile withText = crawl(site, "/", "--text");
      assertThat(withText.page(site.url("/")).get("text").stringValue())
          .isEqualTo("Two words\n\non");
      assertThat(withText.page(site.url("/gone")).has("text")).isFalse();
    }
  }

  @Test
  void what_failed_or_was_denied_is_no_page() {
    byte[] elevenMebibytes = new byte[11 * 1024 * 1024];
    try (Site site =
        Site.open()
            .robots("User-agent: *", "Disallow: /private")
            .page("/", "Home", "/private/diary", "/huge", "/picture")
            .reply("/huge", Replies.ok("text/html", elevenMebibytes))
            .reply("/picture", Replies.ok("image/png", new byte[8]))) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "-o", file.path().toString());
      assertThat(said.code()).isZero();
      assertThat(file.statuses()).isEqualTo(Map.of(site.url("/"), 200));
      assertThat(said.out().lines())
          .contains(
              "denied  " + site.url("/private/diary") + "  robots.txt",
              "failed  " + site.url("/huge") + "  too_large",
              "skipped " + site.url("/picture") + "  image/png");
      assertThat(said.lastLine())
          .startsWith(
              "done: 1 page (1 × 200), 1 URL denied by robots.txt, 1 URL skipped (not HTML), 1"
                  + " failed (too_large) in ")
          .endsWith(", 4 requests");
    }
  }

  @Test
  void a_file_that_is_there_is_replaced() throws Exception {
    Files.writeString(directory.resolve("pages.jsonl"), "what was here before, and long at that");
    try (Site site = Site.open()) {
      assertThat(crawl(site, "/").statuses()).isEqualTo(Map.of(site.url("/"), 404));
    }
  }

  private PageFile crawl(Site site, String path, String... more) {
    PageFile file = new PageFile(directory.resolve("pages.jsonl"));
    List<String> arguments =
        new ArrayList<>(List.of(site.url(path), "--delay", "0", "--out", file.path().toString()));
    arguments.addAll(List.of(more));
    Said said = Commands.crawl(arguments.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return file;
  }

  private static void assertLink(PageFile pages, String url, int depth, String referrer) {
    assertThat(pages.page(url).get("depth").intValue()).as(url).isEqualTo(depth);
    assertThat(pages.page(url).get("referrer").stringValue()).as(url).isEqualTo(referrer);
  }
}
