package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds are taken in by one process while another one crawls. */
class IngestBesideCrawlIT {
  @TempDir private Path home;

  private Said run(String command, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = command;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--data";
    all[arguments.length + 2] = home.resolve("comity-data").toString();
    return Commands.run(all);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text).toString();
  }

  @Test
  void a_crawl_takes_what_is_of_its_domains_and_leaves_the_rest_to_the_next()
      throws IOException, InterruptedException, SQLException {
    CountDownLatch taken = new CountDownLatch(1);
    try (Site other = Site.open().page("/", "Other");
        Site site = Site.open().page("/", "Home", "/slow").page("/new", "New")) {
      site.play(
          "/slow",
          wire -> {
            if (taken.await(1, TimeUnit.MINUTES)) {
              wire.send(Replies.html(Site.html("Slow", "/last")));
            }
          });
      try (Program crawl = Program.start(home, "crawl", site.url("/"), "--delay", "10ms")) {
        site.awaitRequest("/slow");
        // More than one batch, so that the crawl's memory of row numbers is old many times over.
        String many =
            IntStream.range(0, 500)
                .mapToObj(number -> "https://d%d.example/".formatted(number))
                .collect(Collectors.joining("\n"));
        Said said =
            run("ingest-seeds", file("seeds.txt", site.url("/new") + "\n" + other.url("/")));
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out().lines())
            .containsExactly(
                "2 seeds enqueued, 0 known already, 0 refused",
                "The crawl at work here is about other domains than those of 1 of them;"
                    + " `comity crawl` without a URL takes these when that has ended.");
        assertThat(run("ingest-seeds", file("many.txt", many)).out().lines())
            .containsExactly(
                "500 seeds enqueued, 0 known already, 0 refused",
                "The crawl at work here is about other domains; `comity crawl` without a URL takes"
                    + " them when that has ended.");
        assertThat(run("doctor").code()).isZero();
        taken.countDown();
        assertThat(crawl.ended().lastLine()).startsWith("done: 4 pages (3 × 200, 1 × 404) in ");
      }
      assertThat(site.asked()).contains("/new", "/last");
      assertThat(other.connections()).isZero();
      assertThat(run("doctor").code()).isZero();
      assertThat(run("queue").out()).contains("501 pending domains not held");
    }
  }
}
