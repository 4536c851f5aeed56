package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a file and the environment say is what a crawl does. */
class SettingsInCrawlTest {
  @TempDir private Path home;
  private Setup setup;

  @BeforeEach
  void anew() {
    setup = new Setup(home);
  }

  private Path data() {
    return home.resolve("data");
  }

  private static String name(Site site) {
    return "\"127.0.0.1:" + site.port() + "\"";
  }

  private List<JsonNode> log() {
    Path file = home.resolve("log.jsonl");
    assertThat(setup.run("export", "log", "-o", file.toString()).code()).isZero();
    return new PageFile(file).pages();
  }

  private Set<Long> delays(Site site) {
    return log().stream()
        .filter(request -> request.get("domain").stringValue().endsWith(":" + site.port()))
        .map(request -> request.get("delay_ms").longValue())
        .collect(Collectors.toSet());
  }

  @Test
  void a_delay_for_one_domain_holds_for_that_one_alone_and_as_long_as_it_is_said() {
    try (Site slow = Site.open().page("/", "Slow", "/a").page("/a", "A");
        Site usual = Site.open().page("/", "Usual", "/a").page("/a", "A")) {
      String line = "  " + name(slow) + ": {delay: 40ms}";
      setup.file("data: " + data(), "delay: 3ms", "domains:", line);
      assertThat(setup.run("crawl", slow.url("/"), usual.url("/")).code()).isZero();
      assertThat(delays(slow)).containsExactly(40L);
      assertThat(delays(usual)).containsExactly(3L);
      assertThat(setup.run("domain", "127.0.0.1:" + slow.port(), "--json").out())
          .contains("\"delay_ms\":40,");
      setup.file("data: " + data(), "delay: 3ms");
      setup.run("crawl", slow.url("/"), "--again");
      assertThat(delays(slow)).containsExactlyInAnyOrder(40L, 3L);
    }
  }

  @Test
  void a_budget_for_one_domain_holds_for_that_one_alone() {
    try (Site small = Site.open().page("/", "Small", "/a", "/b");
        Site usual = Site.open().page("/", "Usual", "/a", "/b")) {
      String line = "  " + name(small) + ": {max-pages-per-domain: 1}";
      setup.file("data: " + data(), "delay: 0", "domains:", line);
      setup.run("crawl", small.url("/"), usual.url("/"));
      assertThat(small.asked()).containsExactly("/robots.txt", "/");
      assertThat(usual.asked()).hasSize(4);
    }
  }

  @Test
  void without_budgets_for_domains_that_of_the_crawl_alone_counts() {
    try (Site site = Site.open().page("/", "Home", "/a", "/b", "/c")) {
      String line = "  " + name(site) + ": {max-pages-per-domain: 1}";
      setup.file("data: " + data(), "delay: 0", "max-pages-per-domain: 2", "domains:", line);
      setup.variable("ENABLE_PER_DOMAIN_BUDGET", "false");
      Said said = setup.run("crawl", site.url("/"), "--max-pages", "3");
      assertThat(said.lastLine()).startsWith("page budget spent (--max-pages gives more): 3 pages");
    }
  }

  @Test
  void a_crawl_that_is_told_so_by_the_environment_keeps_nothing() {
    try (Site site = Site.open().page("/", "Home")) {
      setup.file("data: " + data(), "delay: 0").variable("ENABLE_DOMAIN_TRACKING", "false");
      assertThat(setup.run("crawl", site.url("/")).lastLine()).startsWith("done: 1 page ");
      assertThat(data()).doesNotExist();
    }
  }

  @Test
  void domains_come_by_rank_or_in_the_order_of_the_seeds() throws IOException {
    List<Site> sites = new ArrayList<>();
    try (Site one = Site.open();
        Site two = Site.open();
        Site three = Site.open()) {
      sites.addAll(List.of(one, two, three));
      // Neither the order in which names are sorted, nor the reverse.
      sites.sort(Comparator.comparing((Site site) -> String.valueOf(site.port())));
      List<String> seeds =
          List.of(sites.get(1), sites.get(2), sites.get(0)).stream()
              .map(site -> site.page("/", "Home").url("/"))
              .toList();
      String ranked = "9," + seeds.get(0) + "\n1," + seeds.get(1) + "\n5," + seeds.get(2);
      Files.writeString(home.resolve("ranked.csv"), ranked);
      assertThat(order("first")).containsExactly(seeds.get(1), seeds.get(2), seeds.get(0));
      assertThat(order("second", "--no-smart-scheduling")).isEqualTo(seeds);
      assertThat(order("third", "--ephemeral"))
          .containsExactly(seeds.get(1), seeds.get(2), seeds.get(0));
      assertThat(order("fourth", "--ephemeral", "--no-smart-scheduling")).isEqualTo(seeds);
    }
  }

  private List<String> order(String run, String... flags) {
    Path out = home.resolve(run + ".jsonl");
    List<String> all =
        new ArrayList<>(List.of("crawl", "--seeds", home.resolve("ranked.csv").toString(), "-o"));
    all.addAll(List.of(out.toString(), "--delay", "0", "--max-claims", "1", "--allow-private"));
    all.addAll(List.of("--data", home.resolve(run).toString()));
    all.addAll(List.of(flags));
    assertThat(setup.run(all.toArray(String[]::new)).code()).isZero();
    return List.copyOf(new PageFile(out).statuses().keySet());
  }

  @Test
  void hosts_under_one_name_are_one_domain_if_it_is_said() {
    try (Site site = Site.open().page("/", "Home")) {
      String port = ":" + site.port();
      setup.file("data: " + data(), "delay: 0", "resolve: [\"*" + port + ":127.0.0.1\"]");
      setup.variable("DOMAIN_CANONICALIZATION_STRIP_SUBDOMAINS", "true");
      Said said =
          setup.run("crawl", "http://a.site.example" + port, "http://b.site.example" + port);
      assertThat(said.lastLine()).startsWith("done: 2 pages ");
      assertThat(setup.run("domains", "--json").out().lines())
          .singleElement()
          .asString()
          .startsWith("{\"domain\":\"site.example" + port + "\"");
    }
  }

  @Test
  void every_command_finds_the_data_directory_that_the_file_names() {
    try (Site site = Site.open().page("/", "Home")) {
      setup.file("data: " + data(), "delay: 0");
      setup.run("crawl", site.url("/"));
      assertThat(setup.run("domains").out()).contains("127.0.0.1:" + site.port());
      assertThat(log()).hasSize(2);
      setup.file("dta: " + data());
      assertThat(setup.run("domains").err())
          .startsWith("comity: no such setting: dta; did you mean data? (comity.yaml, line 1)");
      assertThat(setup.run("export", "pages").code()).isEqualTo(2);
    }
  }

  @Test
  void a_crawl_goes_on_with_its_run_whatever_pace_a_file_sets_and_not_with_other_budgets() {
    try (Site site =
        Site.open().page("/", "Home", "/a").robots("User-agent: *", "Crawl-delay: 900")) {
      setup.file("data: " + data(), "delay: 1ms");
      assertThat(setup.run("crawl", site.url("/")).code()).isEqualTo(4);
      setup.file("data: " + data(), "domains: {" + name(site) + ": {delay: 2ms}}");
      assertThat(setup.run("crawl", site.url("/")).out()).startsWith("Going on with run 1");
      setup.file("data: " + data(), "domains: {" + name(site) + ": {max-pages-per-domain: 2}}");
      assertThat(setup.run("crawl", site.url("/")).out()).startsWith("Run 2 begins");
    }
  }

  @Test
  void requests_in_all_are_no_more_a_second_than_is_said() {
    try (Site one = Site.open().page("/", "One", "/a").page("/a", "A");
        Site two = Site.open().page("/", "Two", "/a").page("/a", "A")) {
      setup.file("data: " + data(), "delay: 0", "max-rate: 20");
      long began = System.nanoTime();
      assertThat(setup.run("crawl", one.url("/"), two.url("/")).code()).isZero();
      // Two times robots.txt and two pages, each 50 ms after the one before.
      assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(250_000_000);
      assertThat(log()).hasSize(6);
    }
  }

  @Test
  void urls_that_are_longer_or_deeper_than_is_said_are_not_followed() {
    try (Site site = Site.open().page("/", "Home", "/a", "/" + "b".repeat(60), "/c/d/e")) {
      setup.file("data: " + data(), "delay: 0", "max-url-length: 60", "max-path-segments: 2");
      setup.run("crawl", site.url("/"));
      assertThat(site.asked()).containsExactly("/robots.txt", "/", "/a");
    }
  }

  @Test
  void of_one_domain_no_more_urls_wait_than_is_said() {
    try (Site site = Site.open().page("/", "Home", "/a", "/b", "/c", "/d")) {
      setup.file("data: " + data(), "delay: 0", "max-unfinished: 2");
      setup.run("crawl", site.url("/"));
      // The page itself is unfinished while its links are taken in.
      assertThat(site.asked()).hasSizeLessThan(6).contains("/a");
      setup.file("delay: 0", "max-unfinished: 2");
      int before = site.asked().size();
      setup.run("crawl", site.url("/"), "--ephemeral");
      assertThat(site.asked().size() - before).isEqualTo(before);
    }
  }

  @Test
  void the_order_of_domains_follows_the_weights_that_are_set() throws IOException {
    try (Site one = Site.open().page("/", "One");
        Site two = Site.open().page("/", "Two", "/a", "/b").page("/a", "A")) {
      setup.file("data: " + data(), "priority-rank: 5", "priority-days-if-never: 0");
      Files.writeString(home.resolve("ranked.csv"), "1," + one.url("/") + "\n10," + two.url("/"));
      assertThat(setup.run("ingest-seeds", home.resolve("ranked.csv").toString()).code()).isZero();
      // 5 for the rank and 2 for the URL; ten times down the list is a seventh less.
      assertThat(priority(one)).isEqualTo(7);
      assertThat(priority(two)).isEqualTo(6);
      setup.file("delay: 0", "data: " + data(), "priority-rank: 5", "priority-remaining: 0");
      setup.run("crawl", "--max-pages-per-domain", "1", "--allow-private");
      assertThat(priority(one)).isEqualTo(5);
    }
  }

  private long priority(Site site) {
    return new JsonMapper()
        .readTree(setup.run("domain", "127.0.0.1:" + site.port(), "--json").out())
        .findPath("priority")
        .longValue();
  }

  @Test
  void why_explains_by_the_settings_of_the_file_and_the_environment() {
    try (Site site = Site.open().page("/", "Home")) {
      setup.file("data: " + data(), "delay: 7ms", "concurrency: 3");
      setup.run("crawl", site.url("/"));
      assertThat(why(site)).contains("\"concurrency\":3,").contains("\"delay_ms\":7,");
      setup.variable("COMITY_CONCURRENCY", "2");
      assertThat(why(site)).contains("\"concurrency\":2,");
      setup.variable("COMITY_LATENCY_FACTOR", "1000");
      assertThat(why(site)).contains("\"rule\":\"latency\"");
      setup.variable("COMITY_CONCURRENCY", "0");
      assertThat(setup.run("why", "127.0.0.1:" + site.port()).err())
          .startsWith(
              "comity: concurrency is 0, but must be at least 1 (environment COMITY_CONCURRENCY)");
    }
  }

  private String why(Site site) {
    Said said = setup.run("why", "127.0.0.1:" + site.port(), "--json");
    assertThat(said.code()).isZero();
    return said.out();
  }

  @Test
  void refusals_teach_in_the_steps_and_up_to_the_cap_that_are_set_and_doctor_knows_the_cap() {
    AtomicInteger refusals = new AtomicInteger(4);
    try (Site site =
        Site.open()
            .play(
                "/",
                wire ->
                    wire.send(
                        refusals.getAndDecrement() > 0
                            ? Replies.status("429 Too Many Requests")
                            : Replies.html(Site.html("Home"))))) {
      List<String> file =
          List.of(
              "data: " + data(),
              "delay: 1ms",
              "learning-step: 20ms",
              "learning-cap: 50ms",
              "learning-first-rest: 1ms",
              "learning-longest-rest: 1ms");
      setup.file(file.toArray(String[]::new));
      assertThat(setup.run("crawl", site.url("/")).code()).isZero();
      assertThat(delays(site)).containsExactlyInAnyOrder(1L, 21L, 41L, 50L);
      setup.variable("COMITY_LEARNING_CAP", "20ms");
      assertThat(setup.run("doctor"))
          .matches(said -> said.code() == 0 && said.out().contains("600 s at most"));
      setup.variable("COMITY_LEARNING_CAP", "20m");
      assertThat(setup.run("doctor").out()).contains("1200 s at most");
    }
  }

  @Test
  void redirects_are_followed_as_far_as_is_said() {
    try (Site site = Site.open().redirect("/", "/1").redirect("/1", "/2").redirect("/2", "/3")) {
      site.redirect("/robots.txt", "/r1").redirect("/r1", "/r2");
      setup.file("data: " + data(), "delay: 0", "max-redirects: 2", "robots-redirects: 1");
      setup.run("crawl", site.url("/"));
      assertThat(site.asked()).containsExactly("/robots.txt", "/r1", "/", "/1", "/2");
    }
  }
}
