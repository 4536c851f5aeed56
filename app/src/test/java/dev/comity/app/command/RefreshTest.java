package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Known pages are visited again when they are due, and unchanged ones cost next to nothing. */
class RefreshTest {
  private static final String DAY = "86400000";

  @TempDir private Path home;

  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final AtomicInteger nonces = new AtomicInteger();
  private final AtomicInteger bytes = new AtomicInteger();

  private Path data() {
    return home.resolve("data");
  }

  private Said run(String... arguments) {
    return Commands.run(
        Stream.concat(
                Stream.of(arguments),
                Stream.of("--data", data().toString(), "--delay", "0", "--concurrency", "1"))
            .toArray(String[]::new));
  }

  private static String[] with(String[] more, String... arguments) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  private Said report(String... arguments) {
    return Commands.run(
        Stream.concat(Stream.of(arguments), Stream.of("--data", data().toString()))
            .toArray(String[]::new));
  }

  /** As if so many days had passed since then. */
  private void pass(int days) {
    new Shelf(data())
        .run(
            "UPDATE domain_frontier SET due_at = due_at - %d * %s WHERE due_at IS NOT NULL"
                .formatted(days, DAY),
            "UPDATE domain_frontier SET visited_at = visited_at - %d * 86400, missing_since ="
                    .formatted(days)
                + " missing_since - %d * 86400".formatted(days),
            ("UPDATE domains SET next_crawl_after = next_crawl_after - %d * %s,"
                    + " last_crawled_at = last_crawled_at - %d * %s, refresh_state = NULL")
                .formatted(days, DAY, days, DAY));
  }

  /** A home page with links to so many pages. */
  private Site site(int number, boolean validators) {
    String[] paths = IntStream.range(0, number).mapToObj("/p%d"::formatted).toArray(String[]::new);
    Site site = Site.open();
    pages.put("/", Site.html("Home", paths));
    for (String path : paths) {
      pages.put(path, Site.html("Page " + path, "/"));
    }
    pages.keySet().forEach(path -> serve(site, path, validators));
    return site;
  }

  private void serve(Site site, String path, boolean validators) {
    site.play(
        path,
        wire -> {
          String html = pages.get(path);
          if (html == null) {
            wire.send(Replies.status("404 Not Found"));
            return;
          }
          if (!validators) {
            html += "<script nonce=\"%d\">1</script>".formatted(nonces.incrementAndGet());
          }
          String etag = "\"" + html.hashCode() + "\"";
          boolean same =
              site.requests().getLast().header("If-None-Match").filter(etag::equals).isPresent();
          byte[] body = html.getBytes(StandardCharsets.UTF_8);
          bytes.addAndGet(same ? 0 : body.length);
          wire.send(
              same
                  ? Replies.head("304 Not Modified", "ETag: " + etag)
                  : validators
                      ? Replies.ok("text/html", body, "ETag: " + etag)
                      : Replies.ok("text/html", body));
        });
  }

  @Test
  void a_thousand_unchanged_pages_with_validators_answer_304_and_cost_no_body() {
    try (Site site = site(999, true)) {
      String[] budget = {"-q", "--max-pages", "2000", "--max-pages-per-domain", "2000"};
      assertThat(run(with(budget, "crawl", site.url("/"))).code()).isZero();
      int first = bytes.getAndSet(0);
      pass(20);
      Said said = run(with(budget, "refresh"));
      assertThat(said.code()).isZero();
      assertThat(said.lastLine())
          .startsWith(
              "done: 0 changed, 1000 unchanged, 0 gone, 0 new, 1000 pages (1000 × 304) in ");
      assertThat(bytes.get()).isLessThan(first / 20);
      assertThat(report("doctor").code()).isZero();
    }
  }

  @Test
  void a_fresh_nonce_in_every_answer_is_no_change() {
    try (Site site = site(30, false)) {
      run("crawl", site.url("/"), "-q");
      pass(20);
      assertThat(run("refresh", "-q").lastLine())
          .startsWith("done: 0 changed, 31 unchanged, 0 gone, 0 new, 31 pages (31 × 200) in ");
    }
  }

  @Test
  void nothing_is_asked_before_it_is_due() {
    try (Site site = site(2, true)) {
      run("crawl", site.url("/"), "-q");
      int asked = site.asked().size();
      pass(13);
      assertThat(run("refresh", "-q").lastLine()).startsWith("nothing left to do: 0 changed");
      assertThat(site.asked()).hasSize(asked);
    }
  }

  @Test
  void changed_new_and_missing_pages_are_found_and_written() throws IOException {
    Path out = home.resolve("out.jsonl");
    try (Site site = site(5, true)) {
      run("crawl", site.url("/"), "-q");
      pass(20);
      pages.put("/p1", Site.html("Other", "/new"));
      pages.put("/new", Site.html("New"));
      serve(site, "/new", true);
      pages.remove("/p2");
      Said said = run("refresh", "-q", "--out", out.toString());
      assertThat(said.lastLine())
          .startsWith(
              "done: 1 changed, 4 unchanged, 0 gone, 1 new, 1 missing (gone if missing again in a"
                  + " week), 7 pages (2 × 200, 4 × 304, 1 × 404) in ");
      assertThat(Files.readAllLines(out)).hasSize(3);
      assertThat(report("why", site.url("/p2")).out())
          .contains("next look: ", "it was missing, and is gone if it is missing again");
      pass(8);
      assertThat(run("refresh", "-q").lastLine()).startsWith("done: 0 changed");
      assertThat(report("why", site.url("/p2")).out()).contains("gone: it was missing at ");
      assertThat(report("doctor").code()).isZero();
    }
  }

  @Test
  void each_changed_version_of_a_page_is_kept_when_asked_for() throws IOException {
    Path exported = home.resolve("pages.jsonl");
    try (Site site = site(2, true)) {
      run("crawl", site.url("/"), "-q", "--keep", "html");
      pass(20);
      pages.put("/p0", Site.html("Second"));
      run("refresh", "-q", "--keep", "html");
      pass(20);
      pages.put("/p0", Site.html("Third"));
      run("refresh", "-q");
      report("export", "pages", "--out", exported.toString());
      assertThat(Files.readAllLines(exported))
          .filteredOn(line -> line.contains("/p0\""))
          .satisfiesExactly(
              first -> assertThat(first).contains("\"html\":", "Page /p0"),
              second -> assertThat(second).contains("\"html\":", "Second"),
              third -> assertThat(third).contains("Third").doesNotContain("\"html\":"));
      assertThat(Files.readAllLines(exported))
          .filteredOn(line -> line.contains("/p1\""))
          .hasSize(1);
    }
  }

  @Test
  void a_refresh_that_spends_its_pages_is_gone_on_with_by_the_next() {
    try (Site site = site(9, true)) {
      run("crawl", site.url("/"), "-q");
      pass(20);
      assertThat(run("refresh", "-q", "--max-pages", "4").lastLine())
          .startsWith("page budget spent (--max-pages gives more): 0 changed, 4 unchanged");
      assertThat(run("refresh", "-q").lastLine()).startsWith("done: 0 changed, 6 unchanged");
    }
  }

  @Test
  void a_crawl_again_asks_whether_pages_have_changed_and_writes_all_of_them() throws IOException {
    Path out = home.resolve("out.jsonl");
    try (Site site = site(3, true)) {
      run("crawl", site.url("/"), "-q");
      Said said = run("crawl", site.url("/"), "--again", "-q", "--out", out.toString());
      assertThat(said.lastLine()).startsWith("done: 4 pages (4 × 304) in ");
      assertThat(Files.readString(out)).contains("\"title\":\"Page /p1\"", "\"title\":\"Home\"");
    }
  }

  @Test
  void a_crawl_again_that_keeps_content_asks_for_all_of_it() {
    try (Site site = site(3, true)) {
      run("crawl", site.url("/"), "-q");
      assertThat(run("crawl", site.url("/"), "--again", "-q", "--keep", "text").lastLine())
          .startsWith("done: 4 pages (4 × 200) in ");
    }
  }

  @Test
  void the_plan_asks_no_site() {
    try (Site site = site(4, true)) {
      run("crawl", site.url("/"), "-q");
      int asked = site.asked().size();
      pass(20);
      Said said = run("refresh", "--plan", "--json");
      assertThat(said.code()).isZero();
      assertThat(said.out().lines())
          .hasSize(2)
          .allMatch(line -> line.contains("\"due_now\":5") && line.contains("\"expected_fresh\":"));
      assertThat(run("refresh", "--plan").out()).contains("requests/day", "127.0.0.1");
      assertThat(site.asked()).hasSize(asked);
    }
  }

  @Test
  void a_domain_that_is_not_known_is_refused() {
    try (Site site = site(1, true)) {
      run("crawl", site.url("/"), "-q");
      Said said = run("refresh", "other.example");
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains("domain is other.example, but it is not known");
    }
  }

  @Test
  void a_sitemap_that_dates_a_change_brings_its_page_forward() {
    try (Site site = site(2, true)) {
      String day = LocalDate.now(ZoneOffset.UTC).minusDays(1).toString();
      site.robots("Sitemap: " + site.url("/sitemap.xml"));
      site.reply(
          "/sitemap.xml",
          Replies.ok(
              "application/xml",
              "<urlset><url><loc>%s</loc><lastmod>%s</lastmod></url></urlset>"
                  .formatted(site.url("/p1"), day)
                  .getBytes(StandardCharsets.UTF_8)));
      run("crawl", site.url("/"), "-q");
      pass(3);
      assertThat(run("refresh", "-q").lastLine()).startsWith("done: 0 changed, 1 unchanged");
      assertThat(site.asked()).endsWith("/sitemap.xml", "/p1");
    }
  }

  @Test
  void a_feed_named_by_the_home_page_brings_a_page_forward_in_the_same_refresh() {
    try (Site site = site(2, true)) {
      pages.put("/", "<link rel=alternate type=application/rss+xml href=/feed>" + pages.get("/"));
      feed(site, Instant.now().minus(Duration.ofDays(40)));
      assertThat(run("crawl", site.url("/"), "-q").lastLine()).startsWith("done: 3 pages");
      assertThat(site.asked()).containsOnlyOnce("/feed");
      passHours(5);
      run("refresh", "-q");
      assertThat(site.asked()).containsOnlyOnce("/feed");
      passHours(2);
      pages.put("/p1", Site.html("Other"));
      feed(site, Instant.now().minus(Duration.ofHours(1)));
      assertThat(run("refresh", "-q").lastLine())
          .startsWith("done: 1 changed, 0 unchanged, 0 gone, 0 new, 1 page (1 × 200) in ");
      assertThat(site.asked()).endsWith("/feed", "/p1");
      assertThat(report("doctor").code()).isZero();
    }
  }

  private void passHours(int hours) {
    new Shelf(data())
        .run(
            "UPDATE domain_frontier SET due_at = due_at - %d * 3600000 WHERE due_at IS NOT NULL"
                .formatted(hours),
            "UPDATE domain_frontier SET visited_at = visited_at - %d * 3600".formatted(hours),
            ("UPDATE domains SET next_crawl_after = next_crawl_after - %1$d * 3600000,"
                    + " last_crawled_at = last_crawled_at - %1$d * 3600000, refresh_state = NULL")
                .formatted(hours));
  }

  private static void feed(Site site, Instant updated) {
    String entry =
        "<rss><channel><item><link>%s</link><pubDate>%s</pubDate></item></channel></rss>"
            .formatted(
                site.url("/p1"),
                DateTimeFormatter.RFC_1123_DATE_TIME.format(updated.atOffset(ZoneOffset.UTC)));
    site.reply("/feed", Replies.ok("application/rss+xml", entry.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void images_that_a_refresh_finds_say_so() throws IOException {
    try (Site site = site(1, true)) {
      pages.put("/p0", "<title>One</title><img src=/a.png>");
      picture(site, "/a.png");
      run("crawl", site.url("/"), "-q", "--images");
      pass(20);
      pages.put("/p0", "<title>One more</title><img src=/a.png><img src=/b.png>");
      picture(site, "/b.png");
      run("refresh", "-q", "--images");
      Shelf shelf = new Shelf(data());
      assertThat(
              shelf.text(
                  "SELECT group_concat(discovery_type, ' ') FROM"
                      + " (SELECT discovery_type FROM provenance ORDER BY image_url)"))
          .isEqualTo("discovery refresh");
    }
  }

  private static void picture(Site site, String path) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BufferedImage image = new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB);
    image.setRGB(1, 1, path.hashCode());
    ImageIO.write(image, "png", bytes);
    site.reply(path, Replies.ok("image/png", bytes.toByteArray()));
  }
}
