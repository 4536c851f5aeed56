package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crawls with their queues and their seeds in Redis. */
class RedisCrawlTest {
  private static final int PAGES = 90;

  @TempDir private Path home;
  private RedisServer redis;

  @BeforeEach
  void start() {
    redis = RedisServer.start();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  private static Site site() {
    Site site = Site.open();
    String[] all = IntStream.range(0, PAGES).mapToObj(page -> "/" + page).toArray(String[]::new);
    for (String path : all) {
      site.page(path, "Page " + path, all);
    }
    return site;
  }

  private Said run(String command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--data", home.resolve("data").toString()));
    return Commands.run(all.toArray(String[]::new));
  }

  private Said crawl(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--delay", "0", "-q"));
    return run("crawl", all.toArray(String[]::new));
  }

  private static List<String> pages(Site site) {
    return site.asked().stream().filter(path -> !path.equals("/robots.txt")).toList();
  }

  @Test
  void links_wait_in_redis_and_every_page_is_asked_once() {
    try (Site site = site()) {
      Said first = crawl(site.url("/0"), "--frontier", redis.url(), "--max-pages", "20");
      assertThat(first.err()).isEmpty();
      assertThat(first.code()).isZero();
      assertThat(redis.tell("DBSIZE")).isNotEqualTo(":0");
      Shelf shelf = new Shelf(home.resolve("data"));
      assertThat(shelf.text("SELECT frontier_checkpoint_id FROM domains")).isNotEmpty();
      assertThat(shelf.text("SELECT frontier_updated_at > 0 FROM domains")).isEqualTo("1");
      // As of the last checkpoint: what was settled with it is taken from Redis afterwards.
      assertThat(run("queue", "--json").out()).containsPattern("\"queued\":7[0-9],");
      Said second = crawl(site.url("/0"), "--frontier", redis.url(), "--max-pages", "1000");
      assertThat(second.code()).isZero();
      assertThat(pages(site)).doesNotHaveDuplicates().hasSize(PAGES);
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void a_crawl_goes_on_after_redis_was_emptied() {
    try (Site site = site()) {
      crawl(site.url("/0"), "--frontier", redis.url(), "--max-pages", "20");
      redis.tell("FLUSHALL");
      Said second = crawl(site.url("/0"), "--frontier", redis.url(), "--max-pages", "1000");
      assertThat(second.code()).isZero();
      assertThat(pages(site)).hasSizeBetween(PAGES + 1, PAGES + 20);
      assertThat(pages(site).stream().distinct()).hasSize(PAGES);
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void queues_that_are_in_redis_are_not_forgotten_for_want_of_the_option() {
    try (Site site = site()) {
      crawl(site.url("/0"), "--frontier", redis.url(), "--max-pages", "20");
      Said without = crawl(site.url("/0"), "--max-pages", "1000");
      assertThat(without.code()).isEqualTo(5);
      assertThat(without.err())
          .contains(
              "the queues are in Redis at " + redis.url() + ": add --frontier " + redis.url());
      assertThat(pages(site)).hasSize(20);
    }
  }

  @Test
  void queues_of_a_database_wait_in_redis_and_move_back() {
    String db = PostgresServer.shared().newDatabase().replace("jdbc:postgresql://", "");
    String address = "postgresql://comity@" + db.substring(0, db.indexOf('?'));
    try (Site site = site()) {
      String[] crawl = {"crawl", site.url("/0"), "--db", address, "--delay", "0", "-q"};
      Said first = Commands.run(with(crawl, "--frontier", redis.url(), "--max-pages", "20"));
      assertThat(first.err()).isEmpty();
      assertThat(redis.tell("DBSIZE")).isNotEqualTo(":0");
      Said without = Commands.run(with(crawl, "--max-pages", "1000"));
      assertThat(without.err()).contains("the queues are in Redis at " + redis.url());
      Said worker = Commands.run("worker", "--once", "--db", address, "-q");
      assertThat(worker.code()).isZero();
      Said moved = Commands.run("frontier", "move", "--to", "store", "--db", address);
      assertThat(moved.out()).endsWith(" of 1 domain moved to the database\n");
      assertThat(redis.tell("DBSIZE")).isEqualTo(":0");
      assertThat(Commands.run(with(crawl, "--max-pages", "1000")).code()).isZero();
      assertThat(pages(site)).doesNotHaveDuplicates().hasSize(PAGES);
    }
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void a_redis_that_would_lose_queues_is_refused_and_no_password_is_shown() {
    redis.tell("CONFIG", "SET", "appendonly", "no");
    redis.tell("CONFIG", "SET", "requirepass", "geheim");
    try (Site site = site()) {
      String url = redis.url().replace("//", "//:geheim@");
      Said said = crawl(site.url("/0"), "--frontier", url);
      assertThat(said.code()).isEqualTo(5);
      assertThat(said.err())
          .contains("a frontier needs appendonly yes; run CONFIG SET appendonly yes")
          .doesNotContain("geheim");
      assertThat(site.asked()).isEmpty();
    }
  }

  @Test
  void seeds_of_redis_enter_the_store_and_leave_their_list() {
    redis.tell("ZADD", "start_urls", "1", "http://a.example/", "2", "{\"url\": \"b.example\"}");
    redis.tell("ZADD", "start_urls", "3", "ftp://c.example/");
    Said said = run("ingest-seeds", redis.url() + "/0/start_urls");
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.out()).isEqualTo("2 seeds enqueued, 0 known already, 1 refused\n");
    assertThat(said.err())
        .isEqualTo(
            "start_urls of %s: cannot crawl \"ftp://c.example/\": only http and https are crawled\n"
                .formatted(redis.url()));
    assertThat(redis.tell("EXISTS", "start_urls")).isEqualTo(":0");
    assertThat(redis.tell("LLEN", "{start_urls}:refused")).isEqualTo(":1");
    assertThat(run("domain-info", "a.example").out())
        .containsPattern("came from +start_urls of " + redis.url());
    assertThat(redis.tell("DBSIZE")).isEqualTo(":1");
  }

  @Test
  void a_crawl_starts_from_seeds_of_redis_which_lead_inside_only_if_that_is_allowed() {
    try (Site site = Site.open().page("/", "Home")) {
      redis.tell("RPUSH", "start_urls", site.url("/"));
      Said refused = crawl("--seeds", redis.url() + "/start_urls");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("--allow-private");
      assertThat(site.asked()).isEmpty();
      redis.tell("FLUSHALL");
      redis.tell("RPUSH", "start_urls", site.url("/"));
      Said said = crawl("--seeds", redis.url() + "/start_urls", "--allow-private");
      assertThat(said.code()).isZero();
      assertThat(pages(site)).containsExactly("/");
      assertThat(redis.tell("DBSIZE")).isEqualTo(":0");
    }
  }
}
