package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a redirect leads is told, and a seed's is followed or the way to follow it is said. */
class RedirectsTest {
  @TempDir private Path home;

  private Said crawl(String... arguments) {
    return Commands.run(
        Stream.concat(
                Stream.of("crawl", "--delay", "0", "--data", data(), "--out", out().toString()),
                Stream.of(arguments))
            .toArray(String[]::new));
  }

  private String data() {
    return home.resolve("data").toString();
  }

  private Path out() {
    return home.resolve("pages.jsonl");
  }

  private static JsonNode first(Stream<String> lines) {
    return new JsonMapper().readTree(lines.findFirst().orElseThrow());
  }

  private Stream<String> exported(String format) throws IOException {
    String file = home.resolve("exported").toString();
    Commands.run("export", "pages", "--format", format, "--data", data(), "--out", file);
    return Files.readAllLines(Path.of(file)).stream();
  }

  @Test
  void a_redirect_s_location_is_in_every_output() throws IOException {
    try (Site site = Site.open().redirect("/", "/home?x=1#part").page("/home?x=1", "Home")) {
      String target = site.url("/home?x=1");
      assertThat(crawl(site.url("/")).code()).isZero();
      try (Stream<String> lines = Files.lines(out())) {
        assertThat(first(lines).get("location").stringValue()).isEqualTo(target);
      }
      assertThat(first(exported("jsonl")).get("location").stringValue()).isEqualTo(target);
      assertThat(exported("csv").findFirst().orElseThrow()).contains(",status,location,depth,");
      String name = "127.0.0.1:" + site.port();
      assertThat(Commands.run("domain", name, "--data", data()).out())
          .contains("302  " + site.url("/") + "  redirect, done → " + target);
      Commands.run(
          "crawl", "--ephemeral", "--delay", "0", "--out", out().toString(), site.url("/"));
      try (Stream<String> lines = Files.lines(out())) {
        assertThat(first(lines).get("location").stringValue()).isEqualTo(target);
      }
    }
  }

  @Test
  void a_seed_that_moved_out_of_scope_is_counted_with_the_way_to_follow() {
    try (Site there = Site.open().page("/", "There");
        Site here = Site.open().redirect("/", there.url("/")).redirect("/2", there.url("/2"))) {
      assertThat(crawl(here.url("/"), "--scope", "host").lastLine())
          .startsWith("done: 1 page (1 × 302), 1 start URL moved out of scope (to ")
          .contains(there.url("/") + "; start there, or use --scope seeds, to follow) in ");
      Said both =
          crawl(here.url("/"), here.url("/2"), "--scope", "domain", "--ephemeral", "--json");
      assertThat(both.out()).contains("\"seeds_moved\":2");
      assertThat(there.asked()).isEmpty();
    }
  }

  /** The other loopback address is another host, and no seed: nothing leads there but its name. */
  @Test
  void a_seed_s_redirect_does_not_open_the_way_inside() {
    try (Site site = Site.open()) {
      String inside = "http://127.0.0.2:" + site.port() + "/";
      site.reply("/", Replies.status("302 Found", "Location: " + inside));
      Said said = crawl(site.url("/"));
      assertThat(said.out().lines()).contains("failed  " + inside + "  address_denied");
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
    }
  }

  @Test
  void a_seed_s_redirect_to_another_seed_s_host_is_followed_and_not_counted() {
    try (Site there = Site.open().page("/", "There").page("/new", "New", "/newer");
        Site here = Site.open().redirect("/", there.url("/new"))) {
      Said said = crawl(here.url("/"), there.url("/"));
      assertThat(said.lastLine()).startsWith("done: 4 pages (2 × 200, 1 × 302, 1 × 404) in ");
      assertThat(there.asked()).contains("/new", "/newer");
    }
  }
}
