package dev.comity.app.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Csv;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.parquet.ParquetRows;
import dev.comity.testkit.wire.Replies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What {@code --keep} and {@code --select} promise, in a data directory and in memory. */
class KeptContentTest {
  private static final String ARTICLE =
      """
      <!doctype html><html lang="en-GB"><head><title>Tea</title>
      <meta name="description" content="How to  make tea">
      <link rel="canonical" href="/tea?x=1"></head>
      <body><nav><a href="/other" rel="nofollow ugc">Other</a></nav><main><h1>Tea</h1>
      <p>Boil <b>water</b>.<p>Wait<br>five minutes.<ul><li>one<li>two</ul>
      <p class="price">4 €</p><p class="price">5 €</p><a href="more">More <img alt="tea"></a>
      </main></body></html>
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"--data=data", "--ephemeral"})
  void a_page_that_comes_packed_is_the_same_in_the_line(String way) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(ARTICLE.repeat(50).getBytes(StandardCharsets.UTF_8));
    }
    try (Site site =
        Site.open()
            .reply(
                "/",
                Replies.ok(
                    "text/html; charset=utf-8", packed.toByteArray(), "Content-Encoding: gzip"))) {
      JsonNode page = crawl(site, way, "--keep=html").page(site.url("/"));
      assertThat(page.get("html").stringValue()).isEqualTo(ARTICLE.repeat(50));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--data=data", "--ephemeral"})
  void every_part_that_is_asked_for_is_in_the_line(String way) {
    try (Site site =
        Site.open()
            .reply(
                "/",
                Replies.ok(
                    "text/html; charset=utf-8",
                    ARTICLE.getBytes(StandardCharsets.UTF_8),
                    "ETag: \"7\"",
                    "Server: x"))) {
      JsonNode page =
          crawl(
                  site,
                  way,
                  "--keep=html,text",
                  "--keep=markdown,links",
                  "--select=price=.price",
                  "--select=next=main a@href",
                  "--select=none=.none")
              .page(site.url("/"));
      assertThat(page.get("html").stringValue()).isEqualTo(ARTICLE);
      assertThat(page.get("charset").stringValue()).isEqualTo("UTF-8");
      assertThat(page.get("language").stringValue()).isEqualTo("en-GB");
      assertThat(page.get("description").stringValue()).isEqualTo("How to make tea");
      assertThat(page.get("canonical").stringValue()).isEqualTo(site.url("/tea?x=1"));
      assertThat(page.get("headers").toString()).isEqualTo("{\"etag\":\"\\\"7\\\"\"}");
      assertThat(page.get("text").stringValue())
          .isEqualTo(
              """
              Other

              Tea

              Boil water.

              Wait
              five minutes.

              one
              two

              4 €

              5 €

              More\
              """);
      assertThat(page.get("markdown").stringValue())
          .startsWith("---\nurl: \"" + site.url("/") + "\"\ntitle: \"Tea\"\n")
          .contains("lang: \"en-GB\"", "# Tea", "Boil **water**.", "- one\n- two")
          .doesNotContain("Other");
      assertThat(page.get("fields").toString())
          .isEqualTo(
              "{\"price\":[\"4 €\",\"5 €\"],\"next\":[\"%s\"]}".formatted(site.url("/more")));
      assertThat(page.get("links").toString())
          .isEqualTo(
              ("[{\"url\":\"%s\",\"text\":\"Other\",\"rel\":\"nofollow ugc\"},"
                      + "{\"url\":\"%s\",\"text\":\"More tea\",\"rel\":\"\"}]")
                  .formatted(site.url("/other"), site.url("/more")));
    }
  }

  @Test
  void a_page_of_tables_in_tables_costs_itself_alone() {
    String tables = "<table><tr><td>".repeat(2_000);
    try (Site site =
        Site.open()
            .reply("/", Replies.html("<a href=/good>good</a>" + tables))
            .reply("/good", Replies.html(ARTICLE))) {
      PageFile pages = crawl(site, "--data=data", "--max-depth=1", "--keep=markdown,text");
      assertThat(pages.page(site.url("/")).has("text")).isTrue();
      assertThat(pages.page(site.url("/good")).get("markdown").stringValue()).contains("# Tea");
    }
  }

  @Test
  void without_being_asked_nothing_of_it_is_there() {
    try (Site site = Site.open().reply("/", Replies.html(ARTICLE))) {
      assertThat(crawl(site, "--data=data").page(site.url("/")).propertyNames())
          .doesNotContain("html", "text", "markdown", "links", "fields", "language", "charset");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "utf-8, EFBBBF3C703E C3A4, UTF-8, false",
    "utf-8, 3C703E C3A4 00 0D0A, UTF-8, false",
    "iso-8859-1, 3C703E E4, windows-1252, false",
    "utf-8, 3C703E E4, UTF-8, true",
  })
  void the_bytes_of_a_body_can_be_made_again(
      String declared, String hex, String charset, boolean inBase64) {
    byte[] body = java.util.HexFormat.of().parseHex(hex.replace(" ", ""));
    try (Site site = Site.open().reply("/", Replies.ok("text/html; charset=" + declared, body))) {
      JsonNode page = crawl(site, "--data=data", "--keep", "html").page(site.url("/"));
      assertThat(page.get("charset").stringValue()).isEqualTo(charset);
      assertThat(page.has("body_base64")).isEqualTo(inBase64);
      assertThat(
              inBase64
                  ? Base64.getDecoder().decode(page.get("body_base64").stringValue())
                  : page.get("html")
                      .stringValue()
                      .getBytes(java.nio.charset.Charset.forName(charset)))
          .isEqualTo(body);
    }
  }

  @Test
  void a_page_that_asks_not_to_be_kept_is_not() {
    String html = "<meta name=robots content=noindex><p class=price>secret";
    try (Site site = Site.open().reply("/", Replies.html(html))) {
      PageFile file =
          crawl(
              site,
              "--data=data",
              "--purpose=search",
              "--keep=html,text,markdown,links",
              "--select=p=.price");
      assertThat(file.text()).doesNotContain("secret");
    }
  }

  @Test
  void a_selector_that_is_none_is_refused_with_its_place() {
    Said said = Commands.crawl("http://localhost:1/", "--select", "price=p.x >> b");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("select price=p.x >> b: no CSS selector");
    Said broken = Commands.crawl("http://localhost:1/", "--select", "price=p[");
    assertThat(broken.err()).startsWith("comity: select price=p[: no CSS selector");
    assertThat(Commands.crawl("http://localhost:1/", "--select", "p").err())
        .startsWith("comity: select is p, but has no name before a = sign");
  }

  @Test
  void an_export_has_what_is_kept() throws IOException {
    try (Site site = Site.open().reply("/", Replies.html(ARTICLE))) {
      crawl(
          site,
          "--data=data",
          "--keep=html,links,markdown",
          "--select=price=.price",
          "--select=title=h1");
      Path csv = directory.resolve("pages.csv");
      Said said = Commands.run("export", "pages", "--data", data(), "--out", csv.toString());
      assertThat(said.err()).isEmpty();
      List<List<String>> rows = Csv.read(Files.readString(csv));
      assertThat(cell(rows, "html")).isEqualTo(ARTICLE);
      assertThat(cell(rows, "language")).isEqualTo("en-GB");
      assertThat(cell(rows, "fields"))
          .isEqualTo("{\"price\":[\"4 €\",\"5 €\"],\"title\":[\"Tea\"]}");
      assertThat(cell(rows, "price")).isEqualTo("4 € | 5 €");
      assertThat(cell(rows, "field_title")).isEqualTo("Tea");
      Path parquet = directory.resolve("pages.parquet");
      Commands.run("export", "pages", "--data", data(), "--out", parquet.toString());
      try (Stream<Map<String, String>> typed = ParquetRows.read(parquet)) {
        assertThat(typed)
            .singleElement()
            .satisfies(
                row ->
                    assertThat(row)
                        .containsEntry("price", "4 € | 5 €")
                        .containsEntry("field_title", "Tea")
                        .containsEntry("title", "Tea"));
      }
      Path links = directory.resolve("links.csv");
      Commands.run("export", "links", "--data", data(), "--out", links.toString());
      assertThat(Csv.read(Files.readString(links)))
          .element(1)
          .satisfies(
              row ->
                  assertThat(row.subList(2, 7))
                      .containsExactly(
                          site.url("/"), site.url("/other"), "Other", "nofollow ugc", "true"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--data=data", "--ephemeral"})
  void prices_of_a_shop_are_a_table_in_one_command(String way) throws IOException {
    try (Site site =
        Site.open()
            .page("/", "Shop", "/tea", "/cup")
            .reply("/tea", Replies.html("<h1>Tea, green</h1><p class=price>4 €"))
            .reply("/cup", Replies.html("<h1>Cup</h1><p class=price>7 €<p class=price>=8 €"))) {
      Path csv = directory.resolve("prices.csv");
      Said said =
          Commands.run(
              "crawl",
              site.url("/"),
              "--delay=0",
              way.equals("--data=data") ? "--data=" + data() : way,
              "--select=name=p ~ .none, body:has(.price) h1",
              "--select=price=.price",
              "--out=" + csv);
      assertThat(said.err()).isEmpty();
      assertThat(Csv.read(Files.readString(csv)))
          .containsExactlyInAnyOrder(
              List.of("url", "name", "price"),
              List.of(site.url("/tea"), "Tea, green", "4 €"),
              List.of(site.url("/cup"), "Cup", "7 € | =8 €"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--data=data", "--ephemeral"})
  void documents_are_kept_when_they_are_accepted(String way) {
    byte[] pdf = {'%', 'P', 'D', 'F', '-', (byte) 0xff, 0};
    try (Site site =
        Site.open()
            .page("/", "Home", "/a.pdf", "/b", "/c.zip", "/d")
            .reply("/a.pdf", Replies.ok("application/pdf", pdf))
            .reply(
                "/b", Replies.ok("application/json", "{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
            .reply("/d", Replies.ok("application/zip", pdf))) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      Said said =
          Commands.run(
              "crawl",
              site.url("/"),
              "--delay=0",
              way.equals("--data=data") ? "--data=" + data() : way,
              "--accept=application/pdf,application/json",
              "--keep=html,text,markdown",
              "--out=" + file.path());
      assertThat(said.err()).isEmpty();
      assertThat(said.lastLine())
          .startsWith(
              "done: 3 pages (3 × 200), 2 URLs skipped (not HTML: 1 application/zip, 1 by their"
                  + " endings) in ");
      JsonNode document = file.page(site.url("/a.pdf"));
      assertThat(Base64.getDecoder().decode(document.get("body_base64").stringValue()))
          .isEqualTo(pdf);
      assertThat(document.propertyNames()).doesNotContain("html", "body", "markdown", "charset");
      JsonNode json = file.page(site.url("/b"));
      assertThat(json.get("body").stringValue()).isEqualTo("{\"a\":1}");
      assertThat(json.get("text").stringValue()).isEqualTo("{\"a\":1}");
      assertThat(json.has("body_base64")).isFalse();
    }
  }

  private static String cell(List<List<String>> rows, String name) {
    return rows.get(1).get(rows.getFirst().indexOf(name));
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private PageFile crawl(Site site, String way, String... more) {
    PageFile file = new PageFile(directory.resolve("pages.jsonl"));
    List<String> arguments =
        new ArrayList<>(List.of("crawl", site.url("/"), "--delay=0", "--out=" + file.path()));
    if (List.of(more).stream().noneMatch(one -> one.startsWith("--max-depth"))) {
      arguments.add("--max-depth=0");
    }
    arguments.add(way.equals("--data=data") ? "--data=" + data() : way);
    arguments.addAll(List.of(more));
    Said said = Commands.run(arguments.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return file;
  }
}
