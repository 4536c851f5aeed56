package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.PageFile;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
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
      assertThat(order("first", seeds)).containsExactly(seeds.get(1), seeds.get(2), seeds.get(0));
      assertThat(order("second", seeds, "--no-smart-scheduling")).isEqualTo(seeds);
    }
  }

  /** The seeds by the priority their domains have after a crawl. */
  private List<String> order(String run, List<String> seeds, String... flags) {
    String file = home.resolve("ranked.csv").toString();
    setup.file("data: " + home.resolve(run));
    List<String> all =
        new ArrayList<>(List.of("crawl", "--seeds", file, "--delay", "0", "--allow-private"));
    all.addAll(List.of(flags));
    assertThat(setup.run(all.toArray(String[]::new)).code()).isZero();
    return seeds.stream()
        .sorted(
            Comparator.comparingLong((String seed) -> -priority(URI.create(seed).getAuthority())))
        .toList();
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
      assertThat(setup.run("crawl", site.url("/")).out()).startsWith("Continuing run 1");
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

  private long priority(String domain) {
    return new JsonMapper()
        .readTree(setup.run("domain", domain, "--json").out())
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
  void doctor_knows_the_longest_delay_that_is_learnt() {
    try (Site site = Site.open().page("/", "Home")) {
      setup.file("data: " + data(), "delay: 0", "learning-cap: 20s");
      setup.run("crawl", site.url("/"));
      assertThat(setup.run("doctor"))
          .matches(said -> said.code() == 0 && said.out().contains("600 s at most"));
      setup.variable("COMITY_LEARNING_CAP", "20m");
      assertThat(setup.run("doctor").out()).contains("1200 s at most");
      setup.variable("COMITY_LEARNING_CAP", "20s").variable("COMITY_PROBE", "step");
      assertThat(setup.run("doctor").out()).contains(" 20 s at most");
    }
  }

  @Test
  void a_closed_domain_is_left_alone_for_as_long_as_is_said() {
    try (Site site = Site.open().play("/", wire -> wire.send(Replies.status("403 Forbidden")))) {
      setup.file("data: " + data(), "delay: 0", "close-after: 1", "cooldown: [2h, 3d]");
      setup.run("crawl", site.url("/"));
      JsonNode domain =
          new JsonMapper()
              .readTree(setup.run("domain", "127.0.0.1:" + site.port(), "--json").out());
      Instant until = Instant.parse(domain.findPath("until").stringValue());
      assertThat(Duration.between(Instant.now(), until))
          .isBetween(Duration.ofMinutes(115), Duration.ofHours(2));
    }
  }
}
