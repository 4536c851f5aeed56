package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.PageFile;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A refresh that is killed goes on: no page is lost, none counts twice, and validators stay. */
class RefreshKillIT {
  private static final int PAGES = 40;
  private static final int KILLS = 3;

  @TempDir private Path directory;

  private Path data() {
    return directory.resolve("comity-data");
  }

  private static String path(int page) {
    return page == 0 ? "/" : "/p" + page;
  }

  /** Every tenth page is another one after the crawl. */
  private static String html(int page, boolean later) {
    String[] links =
        page == 0
            ? IntStream.range(1, PAGES).mapToObj(RefreshKillIT::path).toArray(String[]::new)
            : new String[0];
    return Site.html((later && page % 10 == 1 ? "Changed " : "Page ") + page, links);
  }

  private static String etag(String html) {
    return "\"" + html.hashCode() + "\"";
  }

  private static void serve(Site site, boolean later) {
    for (int page = 0; page < PAGES; page++) {
      String path = path(page);
      String html = html(page, later);
      site.play(
          path,
          wire -> {
            boolean same =
                site.requests().stream()
                    .filter(request -> isFor(request, path))
                    .reduce((_, last) -> last)
                    .flatMap(request -> request.header("If-None-Match"))
                    .filter(etag(html)::equals)
                    .isPresent();
            wire.send(
                same
                    ? Replies.head("304 Not Modified", "ETag: " + etag(html))
                    : Replies.ok(
                        "text/html", html.getBytes(StandardCharsets.UTF_8), "ETag: " + etag(html)));
          });
    }
  }

  private static boolean isFor(SeenRequest request, String path) {
    return request.line().split(" ", -1)[1].equals(path);
  }

  private Program refresh() {
    return Program.start(
        directory, "refresh", "--quiet", "--delay", "50ms", "--out", "changed.jsonl");
  }

  private void passTwentyDays() {
    new Shelf(data())
        .run(
            "UPDATE domain_frontier SET due_at = due_at - 20 * 86400000 WHERE due_at IS NOT NULL",
            "UPDATE domain_frontier SET visited_at = visited_at - 20 * 86400",
            "UPDATE domains SET next_crawl_after = next_crawl_after - 20 * 86400000,"
                + " last_crawled_at = last_crawled_at - 20 * 86400000, refresh_state = NULL");
  }

  @Test
  void killed_again_and_again_a_refresh_visits_every_page_that_was_due_once() throws Exception {
    try (Site site = Site.open()) {
      serve(site, false);
      Said crawled =
          Commands.run("crawl", site.url("/"), "-q", "--delay", "0", "--data", data().toString());
      assertThat(crawled.lastLine()).startsWith("done: " + PAGES + " pages");
      passTwentyDays();
      serve(site, true);
      int before = site.requests().size();
      for (int kill = 1; kill <= KILLS; kill++) {
        try (Program program = refresh()) {
          while (site.requests().size() < before + kill * PAGES / (KILLS + 1)) {
            assertThat(program.endsWithin(Program.A_LOOK)).isFalse();
          }
          program.kill();
        }
      }
      try (Program last = refresh()) {
        Said said = last.ended();
        assertThat(said.code()).as(said.toString()).isZero();
      }
      List<SeenRequest> visits = site.requests().subList(before, site.requests().size());
      Map<String, Integer> times = new HashMap<>();
      List<String> unconditional = new ArrayList<>();
      for (SeenRequest visit : visits) {
        String path = visit.line().split(" ", -1)[1];
        if (path.equals("/robots.txt")) {
          continue;
        }
        times.merge(path, 1, Integer::sum);
        Optional<String> sent = visit.header("If-None-Match");
        int page = path.equals("/") ? 0 : Integer.parseInt(path.substring(2));
        if (!sent.equals(Optional.of(etag(html(page, false))))) {
          unconditional.add(path + " " + sent);
        }
      }
      assertThat(times).hasSize(PAGES);
      // Those in flight at a kill are asked once more.
      assertThat(visits.size() - PAGES).isLessThanOrEqualTo(KILLS * 6);
      assertThat(unconditional).as("asked without the validator of the crawl").isEmpty();

      Shelf shelf = new Shelf(data());
      assertThat(shelf.text("SELECT count(*) FROM crawl_runs WHERE refresh = 1")).isEqualTo("1");
      assertThat(shelf.text("SELECT pages FROM crawl_runs WHERE refresh = 1"))
          .isEqualTo(String.valueOf(PAGES));
      assertThat(
              shelf.text(
                  "SELECT count(*) FROM domain_frontier WHERE state = 1 AND due_at IS NOT NULL"
                      + " AND visited_at > unixepoch() - 86400 AND changes IS NOT NULL"))
          .isEqualTo(String.valueOf(PAGES));
      assertThat(shelf.text("SELECT pages_crawled FROM domains")).isEqualTo(String.valueOf(PAGES));
      assertThat(new PageFile(directory.resolve("changed.jsonl")).pages())
          .extracting(page -> page.get("title").stringValue())
          .containsExactlyInAnyOrder("Changed 1", "Changed 11", "Changed 21", "Changed 31");
      assertThat(Commands.run("doctor", "--data", data().toString()).code()).isZero();
    }
  }
}
