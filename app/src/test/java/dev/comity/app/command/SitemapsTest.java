package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.HostileSitemaps;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sitemaps, from the line in robots.txt to the page in the file. */
class SitemapsTest {
  @TempDir private Path directory;

  private PageFile pages() {
    return new PageFile(directory.resolve("pages.jsonl"));
  }

  private static Site site() {
    Site site = Site.open().page("/", "Home").page("/listed", "Listed");
    return site.robots("User-agent: *", "Disallow: /x", "", "Sitemap: " + site.url("/map.xml"));
  }

  private static CrawlUrl listed(Site site) {
    return CrawlUrl.of(site.url("/listed"));
  }

  private Said crawl(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "crawl",
                "--delay",
                "0",
                "--data",
                directory.resolve("data").toString(),
                "-o",
                pages().path().toString()));
    all.addAll(List.of(arguments));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void what_a_sitemap_lists_is_crawled_and_the_sitemap_is_no_page() {
    try (Site site = site()) {
      String map = "<urlset><url><loc>" + site.url("/listed") + "</loc></url></urlset>";
      site.reply("/map.xml", Replies.ok("text/xml", map.getBytes(StandardCharsets.UTF_8)));
      Said said = crawl(site.url("/"));
      assertThat(said.lastLine()).startsWith("done: 2 pages (2 × 200) in ");
      assertThat(said.out()).contains("sitemap " + site.url("/map.xml") + "  1 URL\n");
      assertThat(pages().statuses()).containsOnlyKeys(site.url("/"), site.url("/listed"));
      assertThat(pages().page(site.url("/listed")).get("referrer").stringValue())
          .isEqualTo(site.url("/map.xml"));
      // Without a delay, the page and the sitemap are asked beside each other.
      assertThat(site.asked())
          .startsWith("/robots.txt")
          .endsWith("/listed")
          .containsExactlyInAnyOrder("/robots.txt", "/", "/map.xml", "/listed");
      assertThat(Commands.run("doctor", "--data", directory.resolve("data").toString()).code())
          .isZero();
    }
  }

  @Test
  void a_crawl_that_keeps_nothing_reads_them_as_well() {
    try (Site site = site()) {
      site.reply(
          "/map.xml",
          Replies.ok("text/plain", site.url("/listed").getBytes(StandardCharsets.UTF_8)));
      Said said = crawl("--ephemeral", site.url("/"));
      assertThat(said.lastLine()).startsWith("done: 2 pages (2 × 200) in ");
      assertThat(pages().statuses()).containsOnlyKeys(site.url("/"), site.url("/listed"));
    }
  }

  @Test
  void switched_off_none_is_asked_for() {
    try (Site site = site()) {
      assertThat(crawl(site.url("/"), "--no-sitemaps").code()).isZero();
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
    }
  }

  @Test
  void a_sitemap_that_is_not_there_costs_nothing_but_a_request() {
    try (Site site = site()) {
      Said said = crawl(site.url("/"));
      assertThat(said.lastLine()).startsWith("done: 1 page (1 × 200) in ");
      assertThat(said.out()).contains("404     " + site.url("/map.xml") + "  sitemap\n");
    }
  }

  @Test
  void nothing_leaves_for_what_a_sitemap_declares_and_what_it_lists_elsewhere() {
    try (Site site = site();
        ScriptedServer outside = ScriptedServer.playing(Script.silent())) {
      site.play("/map.xml", HostileSitemaps.externalEntities(listed(site), outside.url("/dtd")));
      assertThat(crawl(site.url("/")).lastLine()).startsWith("done: 2 pages (2 × 200) in ");
      assertThat(outside.connections()).isZero();
    }
    try (Site site = site();
        ScriptedServer outside = ScriptedServer.playing(Script.silent())) {
      String foreign = outside.url("/page") + "\n" + site.url("/listed") + "\n";
      site.reply("/map.xml", Replies.ok("text/plain", foreign.getBytes(StandardCharsets.UTF_8)));
      crawl(site.url("/"), "--scope", "any");
      assertThat(site.asked()).endsWith("/listed");
      assertThat(outside.connections()).isZero();
    }
  }

  @Test
  void bombs_and_lists_without_end_are_read_up_to_the_limits() {
    try (Site site = site()) {
      site.play("/map.xml", HostileSitemaps.billionLaughs(listed(site)));
      assertThat(crawl(site.url("/")).out()).contains("  1 URL, 1 unreadable\n");
    }
    try (Site site = site()) {
      site.play("/map.xml", HostileSitemaps.packedBomb(listed(site)));
      assertThat(crawl(site.url("/")).out()).contains("  1 URL, cut off\n");
    }
    try (Site site = site()) {
      site.play("/map.xml", HostileSitemaps.endless(listed(site)));
      Said said = crawl(site.url("/"), "--max-pages", "3");
      assertThat(said.out()).contains("  50000 URLs, cut off\n");
      assertThat(said.lastLine()).startsWith("page budget spent");
    }
  }
}
