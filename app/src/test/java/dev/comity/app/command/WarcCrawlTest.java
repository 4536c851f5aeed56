package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcTargetRecord;

/** {@code --warc} keeps every exchange of a crawl as it was on the wire. */
class WarcCrawlTest {
  @TempDir private Path home;

  private Said crawl(String... arguments) {
    return Commands.run(
        Stream.concat(
                Stream.of("crawl", "--delay", "0", "--data", home.resolve("data").toString()),
                Stream.concat(
                    Stream.of("--warc", home.resolve("warc").toString()), Stream.of(arguments)))
            .toArray(String[]::new));
  }

  /** A record's type, target and block. */
  private record Kept(String type, String target, String block) {}

  private List<Kept> kept() throws IOException {
    List<Kept> kept = new ArrayList<>();
    try (Stream<Path> files = Files.list(home.resolve("warc"))) {
      for (Path file : files.toList()) {
        assertThat(file.toString()).endsWith(".warc.gz");
        try (WarcReader records = new WarcReader(file)) {
          for (WarcRecord each : records) {
            if (each instanceof WarcTargetRecord one) {
              kept.add(
                  new Kept(
                      each.type(),
                      one.target(),
                      new String(
                          each.body().stream().readAllBytes(), StandardCharsets.ISO_8859_1)));
            }
          }
        }
      }
    }
    return kept;
  }

  @Test
  void every_exchange_is_kept_to_the_byte() throws IOException {
    String chunked =
        Replies.head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked")
            + "5\r\n<p>hi\r\n4;x=y\r\n you\r\n0\r\nTrailer: t\r\n\r\n";
    String html = Site.html("Home", "/chunked", "/gone");
    try (Site site =
        Site.open()
            .robots("User-agent: *", "Disallow: /no")
            .reply("/", Replies.html(html))
            .reply("/chunked", chunked)) {
      assertThat(crawl(site.url("/")).code()).isZero();
      List<Kept> kept = kept();
      assertThat(kept)
          .filteredOn(record -> record.type().equals("response"))
          .extracting(Kept::target)
          .containsExactlyInAnyOrderElementsOf(site.asked().stream().map(site::url).toList());
      assertThat(kept)
          .contains(
              new Kept("response", site.url("/chunked"), chunked),
              new Kept("response", site.url("/"), Replies.html(html)),
              new Kept("response", site.url("/gone"), Replies.status("404 Not Found")));
      assertThat(kept)
          .filteredOn(record -> record.type().equals("request"))
          .hasSameSizeAs(site.asked())
          .anySatisfy(
              record ->
                  assertThat(record.block())
                      .startsWith("GET /chunked HTTP/1.1\r\nHost: 127.0.0.1:")
                      .endsWith("\r\n\r\n"));
      assertThat(kept)
          .filteredOn(record -> record.type().equals("metadata"))
          .hasSameSizeAs(site.asked())
          .anySatisfy(record -> assertThat(record.block()).contains("title: Home\r\n"))
          .anySatisfy(record -> assertThat(record.block()).contains("kind: robots\r\n"))
          .anySatisfy(
              record -> assertThat(record.block()).contains("via: " + site.url("/") + "\r\n"));
    }
  }

  @Test
  void an_archive_is_indexed_and_packed() throws IOException {
    Path cdxj = home.resolve("index.cdxj");
    Path wacz = home.resolve("site.wacz");
    String warc = home.resolve("warc").toString();
    try (Site site = Site.open().page("/", "Home", "/two").page("/two", "Two")) {
      assertThat(crawl(site.url("/")).code()).isZero();
      assertThat(Commands.run("export", "cdxj", "--warc", warc, "--out", cdxj.toString()).code())
          .isZero();
      assertThat(Files.readAllLines(cdxj))
          .hasSize(3)
          .isSorted()
          .allSatisfy(line -> assertThat(line).contains("127.0.0.1:" + site.port()));
    }
    assertThat(Commands.run("export", "wacz", "--warc", warc, "--out", wacz.toString()).code())
        .isZero();
    try (ZipFile zip = new ZipFile(wacz.toFile())) {
      ZipEntry pages = zip.getEntry("pages/pages.jsonl");
      assertThat(new String(zip.getInputStream(pages).readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"title\":\"Home\"", "\"title\":\"Two\"");
    }
    assertThat(Commands.run("export", "wacz", "--out", wacz.toString()).err())
        .contains("export wacz reads WARC files: name their directory with --warc DIR");
    assertThat(
            Commands.run("export", "cdxj", "--warc", home.toString(), "--out", cdxj.toString())
                .err())
        .isEqualTo(
            "comity: warc is %s, but no finished WARC file is there: crawl with --warc first\n"
                .formatted(home));
  }

  @Test
  void a_password_for_a_site_is_not_in_the_archive() throws IOException {
    try (Site site = Site.open().page("/", "Home")) {
      assertThat(
              crawl(site.url("/"), "--user", "http://127.0.0.1:" + site.port() + "=me:secret")
                  .code())
          .isZero();
      assertThat(site.requests()).anySatisfy(seen -> assertThat(seen.toString()).contains("Basic"));
      assertThat(kept()).noneSatisfy(record -> assertThat(record.block()).contains("Basic"));
      assertThat(kept())
          .anySatisfy(
              record -> assertThat(record.block()).contains("Authorization: [removed]\r\n"));
    }
  }

  @Test
  void an_archive_that_cannot_be_written_ends_the_crawl_by_name() throws IOException {
    Files.writeString(home.resolve("warc"), "a file");
    try (Site site = Site.open().page("/", "Home")) {
      Said said = crawl(site.url("/"));
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains("cannot write an archive to " + home.resolve("warc"));
      assertThat(site.asked()).isEmpty();
    }
  }
}
