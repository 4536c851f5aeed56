package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code comity fetch}: lists of URLs. */
class FetchTest {
  @TempDir private Path home;

  @Test
  void a_list_is_fetched_without_its_links_and_what_failed_is_listed() throws IOException {
    try (Site site =
        Site.open()
            .robots("User-agent: *", "Disallow: /private")
            .page("/a", "A", "/link")
            .page("/b", "B")
            .redirect("/r", "/moved")
            .page("/moved", "Moved", "/never")
            .reply("/pdf", Replies.ok("application/pdf", new byte[9]))) {
      Path list =
          list(
              "list.txt",
              "# a comment",
              site.url("/a"),
              site.url("/b"),
              site.url("/a"),
              site.url("/missing"),
              site.url("/private"),
              site.url("/r"),
              site.url("/pdf"),
              "not a url at all");
      Path out = home.resolve("pages.jsonl");
      Path failed = home.resolve("failed.jsonl");
      Said said = fetch(list, "--out", out.toString(), "--failed", failed.toString());
      assertThat(said.err()).contains("list.txt, row 9: ");
      assertThat(said.code()).isEqualTo(6);
      assertThat(said.out())
          .contains("list.txt: 7 URLs on 1 domains, 6 of them new, 1 rows without one");
      assertThat(site.asked())
          .containsExactlyInAnyOrder("/robots.txt", "/a", "/b", "/missing", "/r", "/moved", "/pdf");
      assertThat(Files.readAllLines(out)).hasSize(5);
      assertThat(Files.readString(failed))
          .contains("/missing\",\"reason\":\"client_error\",\"status\":404")
          .contains("/pdf\",\"reason\":\"wrong_type\"")
          .contains("/private\",\"reason\":\"robots_txt\"");
      assertThat(Files.readAllLines(failed)).hasSize(3);
      int asked = site.asked().size();
      Said again = fetch(list, "--out", out.toString());
      assertThat(again.code()).isEqualTo(6);
      assertThat(site.asked()).hasSize(asked);
      assertThat(Files.readAllLines(out)).hasSize(5);
    }
  }

  @Test
  void csv_tsv_and_json_lines_have_a_column_of_urls() throws IOException {
    try (Site site = Site.open()) {
      Path csv =
          list(
              "list.csv",
              "caption,URL",
              "\"a, \"\"b\"\"\nand c\"," + site.url("/1"),
              "d," + site.url("/2"));
      fetch(csv);
      Path tsv = list("list.tsv", "link\tx", site.url("/3") + "\ty");
      assertThat(fetch(tsv).err()).contains("the list has no column url, but ");
      fetch(tsv, "--url-column", "link");
      Path json = list("list.jsonl", "{\"n\":1,\"url\":\"" + site.url("/4") + "\",\"x\":[1]}", "{");
      assertThat(fetch(json).code()).isEqualTo(6);
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/1", "/2", "/3", "/4");
    }
    Said said = fetch(list("list.xyz", "http://a.test/"));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("its ending is none of .txt, .csv, .tsv, .jsonl, .parquet");
  }

  @Test
  void names_of_a_list_lead_inside_only_when_allowed() throws IOException {
    try (Site site = Site.open().page("/a", "A")) {
      Path list = list("list.txt", site.url("/a"));
      Said no = run(list, "--contact", "me@example.org", "--delay", "0");
      assertThat(site.asked()).isEmpty();
      assertThat(no.out()).contains("address_denied");
      Said contact = run(list);
      assertThat(contact.code()).isEqualTo(2);
      assertThat(contact.err()).contains("fetching a list needs a contact");
    }
  }

  @Test
  void a_list_may_have_more_pages_than_the_usual_budget() throws IOException {
    try (Site site = Site.open()) {
      List<String> urls = new ArrayList<>();
      for (int page = 0; page < 1_200; page++) {
        urls.add(site.url("/p" + page));
      }
      Said said = fetch(list("many.txt", urls.toArray(String[]::new)), "--quiet");
      assertThat(said.code()).isZero();
      assertThat(site.asked()).hasSize(1_201).doesNotHaveDuplicates();
    }
  }

  @Test
  void a_parquet_file_is_a_list_like_any_other() throws IOException {
    try (Site site = Site.open().page("/1", "One").page("/2", "Two")) {
      fetch(list("list.txt", site.url("/1"), site.url("/2")));
      Path table = home.resolve("pages.parquet");
      Said said =
          Commands.run(
              "export",
              "pages",
              "--data",
              home.resolve("data").toString(),
              "--out",
              table.toString());
      assertThat(said.code()).as(said.err()).isZero();
      Path elsewhere = home.resolve("elsewhere");
      Said fetched =
          Commands.run(
              "fetch",
              table.toString(),
              "--data",
              elsewhere.toString(),
              "--allow-private",
              "--delay",
              "0");
      assertThat(fetched.code()).as(fetched.err()).isZero();
      assertThat(site.asked())
          .containsExactlyInAnyOrder("/robots.txt", "/1", "/2", "/robots.txt", "/1", "/2");
    }
  }

  @Test
  void a_list_of_images_is_kept_once_by_content() throws IOException {
    byte[] picture = picture();
    try (Site site =
        Site.open()
            .reply("/a.png", Replies.ok("image/png", picture))
            .reply("/b.png", Replies.ok("text/html", picture))
            .page("/c.png", "No image")) {
      Path list = list("list.txt", site.url("/a.png"), site.url("/b.png"), site.url("/c.png"));
      Said said = fetch(list, "--images");
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(said.out()).contains("2 images and 1 not taken");
      try (Stream<Path> files = Files.walk(home.resolve("data").resolve("images"))) {
        assertThat(files.filter(Files::isRegularFile))
            .singleElement()
            .satisfies(file -> assertThat(Files.readAllBytes(file)).isEqualTo(picture));
      }
      int asked = site.asked().size();
      assertThat(fetch(list, "--images").code()).isZero();
      assertThat(site.asked()).hasSize(asked);
    }
  }

  @Test
  void captions_of_a_list_are_kept_with_its_images_and_in_shards() throws IOException {
    try (Site site = Site.open().reply("/a.png", Replies.ok("image/png", picture()))) {
      Path list =
          list(
              "laion.csv",
              "SAMPLE,URL,TEXT",
              "1," + site.url("/a.png") + ",\"A black\nsquare, \u001b[31mloud\"",
              "2," + site.url("/gone.png") + ",Gone");
      assertThat(fetch(list, "--images").code()).isZero();
      String exported = exported();
      assertThat(exported)
          .contains("\"found_in\":\"list\"")
          .contains("\"caption\":\"A black square, ")
          .contains("\"caption\":\"Gone\"")
          .doesNotContain("\u001b");
      Path shards = home.resolve("shards");
      Said written =
          Commands.run(
              "export",
              "webdataset",
              "--data",
              home.resolve("data").toString(),
              "--out",
              shards.toString());
      assertThat(written.code()).as(written.err()).isZero();
      assertThat(Files.readString(shards.resolve("00000.tar"), StandardCharsets.ISO_8859_1))
          .contains("000000000.txt")
          .contains("A black square, ");
      // Taken in again, another caption of a known image counts.
      Path other = list("other.tsv", "url\twords", site.url("/a.png") + "\tNew words");
      assertThat(fetch(other, "--images", "--caption-column", "words").code()).isZero();
      assertThat(exported()).contains("\"caption\":\"New words\"").doesNotContain("A black");
      assertThat(site.asked()).containsOnlyOnce("/a.png");
      Said wrong = fetch(other, "--images", "--caption-column", "nothing");
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err())
          .contains("the list has no column nothing, but")
          .contains("name it with --caption-column");
      assertThat(Commands.run("doctor", "--data", home.resolve("data").toString()).out())
          .doesNotContain("WRONG");
    }
  }

  private String exported() throws IOException {
    Path file = home.resolve("images.jsonl");
    Commands.run(
        "export", "images", "--data", home.resolve("data").toString(), "-o", file.toString());
    return Files.readString(file);
  }

  private static byte[] picture() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  private Path list(String name, String... lines) throws IOException {
    return Files.write(home.resolve(name), List.of(lines));
  }

  @Test
  void a_list_is_archived_and_takes_other_documents_as_a_crawl_does() throws IOException {
    try (Site site =
        Site.open().page("/a", "A").reply("/b", Replies.ok("application/pdf", new byte[9]))) {
      Path warc = home.resolve("warc");
      Said said =
          fetch(
              list("list.txt", site.url("/a"), site.url("/b")),
              "--accept",
              "application/pdf",
              "--warc",
              warc.toString());
      assertThat(said.lastLine()).contains("2 pages (2 × 200)");
      try (Stream<Path> files = Files.list(warc)) {
        assertThat(files)
            .singleElement()
            .satisfies(file -> assertThat(file.toString()).endsWith(".warc.gz"));
      }
    }
  }

  private Said fetch(Path list, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of("--allow-private", "--delay", "0"));
    return run(list, all.toArray(String[]::new));
  }

  private Said run(Path list, String... more) {
    List<String> all = new ArrayList<>(List.of("fetch", list.toString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--data", home.resolve("data").toString()));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void settings_of_crawls_are_not_shown_and_refused_as_flags() throws IOException {
    String help = Commands.run("fetch", "--help").out();
    assertThat(help)
        .contains("--max-pages", "--keep", "--images")
        .doesNotContain("--scope", "--max-depth", "--seeds", "--barren-pages", "sitemaps");
    Said said = run(list("list.txt", "http://a.test/"), "--scope", "any");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("--scope is given, but fetch follows no links; leave it out");
  }

  @Test
  void a_list_that_is_done_says_so_and_an_image_that_is_denied_is_listed() throws IOException {
    try (Site site = Site.open().robots("User-agent: *", "Disallow: /private")) {
      Path list = list("images.txt", site.url("/missing.png"), site.url("/private.png"));
      Path failed = home.resolve("failed.jsonl");
      Said said = fetch(list, "--images", "--failed", failed.toString());
      assertThat(said.out()).doesNotContain("left out");
      assertThat(Files.readString(failed))
          .contains("/missing.png\",\"reason\":\"client_error\",\"status\":404")
          .contains("/private.png\",\"reason\":\"robots_txt\"");
      Said again = fetch(list, "--images");
      assertThat(again.out())
          .contains("1 domain of the list had every answer before; nothing more is asked there")
          .doesNotContain("--again");
    }
  }
}
