package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code comity source} and {@code comity add}. */
class SourcesTest {
  @TempDir private Path home;

  private Said run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", home.resolve("comity-data").toString()));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void a_source_is_made_listed_changed_and_removed() {
    assertThat(run("source", "add", "news", "--interval", "10").out().strip())
        .isEqualTo("source news added");
    assertThat(run("source", "add", "news").out().strip())
        .isEqualTo("source news is there already");
    assertThat(run("source", "add", "news", "--interval", "5").err())
        .contains("source news is there already", "source set news --interval 5");
    assertThat(run("source", "list", "--json").out().strip())
        .isEqualTo(
            "{\"source\":\"news\",\"interval_seconds\":10.0,\"effective_seconds\":10.0,"
                + "\"urls\":0,\"unfinished\":0}");
    assertThat(run("source", "set", "news", "--interval", "0.25").out().strip())
        .isEqualTo("source news: interval 0.25 s (was 10 s)");
    assertThat(run("source", "set", "news", "--interval", "off").out().strip())
        .isEqualTo("source news: interval off (was 0.25 s)");
    assertThat(run("source", "set", "news", "--interval", "default").out().strip())
        .isEqualTo("source news: interval default (was off)");
    assertThat(run("source", "list").out()).contains("news", "default", "now");
    assertThat(run("source", "remove", "news").out().strip())
        .isEqualTo(
            "source news removed; 0 URLs are without a source now, at the pace of their domains");
    assertThat(run("source", "remove", "news").err()).contains("there is none of that name");
    assertThat(run("doctor").code()).isZero();
  }

  @Test
  void what_makes_no_sense_is_refused_with_the_rule() {
    assertThat(run("source", "add", "news", "--interval", "1.234").err())
        .contains("interval is 1.234", "at most two decimals");
    assertThat(run("source", "add", "news", "--interval", "-1").code()).isEqualTo(2);
    assertThat(run("source", "add", "news", "--interval", "400d").err()).contains("up to 365d");
    assertThat(run("source", "add", "no good").err()).contains("name is no good");
    assertThat(run("source", "add", "x".repeat(65)).code()).isEqualTo(2);
    run("source", "add", "news");
    assertThat(run("source", "set", "olds", "--interval", "1").err())
        .contains("source is olds, but there is none of that name");
    assertThat(run("source", "set", "news").err()).contains("--interval");
    assertThat(run("source", "add", "news", "--file", home + "/none").err())
        .contains("there is no such file");
  }

  @Test
  void every_url_has_one_of_four_answers() {
    try (Site site = Site.open().page("/a", "A").page("/b", "B")) {
      run("source", "add", "news", "--interval", "100");
      Said first = run("add", site.url("/a"), site.url("/a"), "ht tp://no", "--source", "news");
      assertThat(first.code()).isEqualTo(6);
      assertThat(first.out().lines().map(line -> line.substring(0, 9).strip()))
          .containsExactly("enqueued", "duplicate", "refused");
      assertThat(run("crawl", "--quiet").code()).isZero();
      Said second = run("add", site.url("/b"), "--source", "news", "--json");
      assertThat(second.code()).isZero();
      assertThat(second.out())
          .contains("\"answer\":\"deferred\"", "\"interval_seconds\":100.0", "\"wait_seconds\":");
      assertThat(run("why", site.url("/b")).out())
          .contains("set by the interval of its source news: its interval is 100 s");
      assertThat(run("why", site.url("/b"), "--json").out())
          .contains("\"source\":{\"name\":\"news\",\"interval_seconds\":100.0");
      assertThat(run("add", site.url("/c"), "--source", "olds").out())
          .startsWith("refused")
          .contains("source is olds, but there is none of that name");
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void a_closed_domain_refuses_urls() {
    try (Site site = Site.open().page("/a", "A")) {
      run("add", site.url("/a"));
      run("domain-block", "127.0.0.1:" + site.port(), "--reason", "enough");
      assertThat(run("add", site.url("/b")).out())
          .startsWith("refused")
          .contains("is closed (operator)");
    }
  }

  @Test
  void urls_of_a_file_become_urls_of_the_source() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("urls.txt"), "http://a.example/\n# no\nhttp://b.example/\nno url\n");
    Said said = run("source", "add", "news", "--file", file.toString());
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.out().lines().map(line -> line.split(" ", -1)[0]))
        .containsExactly("source", "enqueued", "enqueued", "refused");
    assertThat(run("source", "list", "--json").out()).contains("\"urls\":2,\"unfinished\":2");
  }

  @Test
  void a_domain_says_what_it_came_from() throws IOException {
    try (Site named = Site.open().page("/", "A");
        Site listed = Site.open().page("/", "B");
        Site added = Site.open().page("/", "C");
        Site ofSource = Site.open().page("/", "D")) {
      Path file = Files.writeString(home.resolve("seeds.txt"), listed.url("/") + "\n");
      run("add", added.url("/"));
      run("source", "add", "news", ofSource.url("/"));
      run("ingest-seeds", file.toString());
      run("crawl", named.url("/"), "--quiet");
      assertThat(cameFrom(named)).isEqualTo("command line");
      assertThat(cameFrom(added)).isEqualTo("add");
      assertThat(cameFrom(ofSource)).isEqualTo("source news");
      assertThat(cameFrom(listed)).matches("seeds.txt of \\d{4}-\\d\\d-\\d\\d");
    }
  }

  @Test
  void lists_say_their_date_and_other_ways_in_their_name() throws IOException {
    String day = "of \\d{4}-\\d\\d-\\d\\d";
    try (Site ranked = Site.open().page("/", "A");
        Site fetched = Site.open().page("/", "B");
        Site ofFile = Site.open().page("/", "C");
        Site taken = Site.open().page("/", "D");
        Site linked = Site.open().page("/", "E");
        Site imported = Site.open().page("/", "F")) {
      ranked.page("/", "A", linked.url("/"));
      run("ingest-seeds", file("tranco.csv", "1,127.0.0.1:" + ranked.port()));
      run("fetch", file("list.txt", fetched.url("/")), "--allow-private", "--delay", "0", "-q");
      run("source", "add", "news", "--file", file("urls.txt", ofFile.url("/")));
      run("backfill", file("log.csv", "page_url,status\n%s,200".formatted(taken.url("/"))));
      run("import", "heritrix", file("recover", "F+ %s I".formatted(imported.url("/"))));
      run("crawl", ranked.url("/"), "--scope", "any", "--allow-private", "--delay", "0", "-q");
      assertThat(cameFrom(ranked)).matches("tranco.csv " + day);
      assertThat(cameFrom(fetched)).matches("list.txt " + day);
      assertThat(cameFrom(ofFile)).isEqualTo("source news");
      assertThat(cameFrom(taken)).isEqualTo("backfill_crawl_log");
      assertThat(cameFrom(imported)).isEqualTo("import_heritrix");
      assertThat(run("domains").out()).contains("127.0.0.1:" + linked.port());
      assertThat(cameFrom(linked)).isEmpty();
    }
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text + "\n").toString();
  }

  private String cameFrom(Site site) {
    return run("domain-info", "127.0.0.1:" + site.port())
        .out()
        .lines()
        .filter(line -> line.startsWith("  came from"))
        .map(line -> line.substring("  came from".length()).strip())
        .findFirst()
        .orElse("");
  }
}
