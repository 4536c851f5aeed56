package dev.comity.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.testkit.redis.RedisCluster;
import dev.comity.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seeds are taken once by several workers, and none is lost with a worker. */
class RedisSeedsTest {
  private static RedisServer redis;
  private static RedisLink link;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    link = RedisLink.connect(RedisAddress.parse(redis.url()), _ -> {});
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.tell("FLUSHALL");
  }

  private static RedisSeeds seeds() {
    return new RedisSeeds(link, "start_urls");
  }

  /** A worker for which all others are dead at once. */
  private static RedisSeeds impatient() {
    return new RedisSeeds(link, "start_urls", Duration.ofMillis(-1));
  }

  @Test
  void a_sorted_set_gives_the_highest_score_first() {
    redis.tell("ZADD", "start_urls", "1", "a.example", "9", "b.example", "5", "c.example");
    assertThat(seeds().take(2)).containsExactly("b.example", "c.example");
    assertThat(redis.tell("ZCARD", "start_urls")).isEqualTo(":1");
  }

  @Test
  void a_list_and_a_set_give_their_entries_too() {
    redis.tell("RPUSH", "start_urls", "a.example", "b.example", "c.example");
    assertThat(seeds().take(2)).containsExactly("a.example", "b.example");
    redis.tell("DEL", "start_urls");
    redis.tell("SADD", "start_urls", "x.example", "y.example");
    assertThat(seeds().take(5)).containsExactlyInAnyOrder("x.example", "y.example");
  }

  @Test
  void a_key_that_has_no_seeds_is_named() {
    redis.tell("SET", "start_urls", "a.example");
    assertThatThrownBy(() -> seeds().take(1))
        .hasMessageContaining("\"start_urls\"")
        .hasMessageContaining("is a string, but seeds are in a sorted set, a list or a set");
  }

  @Test
  void what_was_taken_comes_again_until_it_is_stored() {
    redis.tell("RPUSH", "start_urls", "a.example", "b.example", "c.example");
    RedisSeeds worker = seeds();
    assertThat(worker.take(2)).containsExactly("a.example", "b.example");
    assertThat(worker.take(2)).containsExactly("a.example", "b.example");
    worker.stored(2, List.of());
    assertThat(worker.take(2)).containsExactly("c.example");
    worker.stored(1, List.of());
    assertThat(worker.take(2)).isEmpty();
    assertThat(redis.tell("EXISTS", "start_urls")).isEqualTo(":0");
  }

  @Test
  void a_live_worker_keeps_its_seeds_and_those_of_a_dead_one_are_taken_over() {
    redis.tell("RPUSH", "start_urls", "a.example", "b.example", "c.example");
    assertThat(seeds().take(2)).containsExactly("a.example", "b.example");
    assertThat(seeds().take(2)).containsExactly("c.example");
    assertThat(impatient().take(9))
        .containsExactlyInAnyOrder("a.example", "b.example", "c.example");
  }

  @Test
  void several_workers_at_once_take_each_seed_once() throws Exception {
    for (int from = 0; from < 1000; from += 100) {
      List<String> command = new ArrayList<>(List.of("RPUSH", "start_urls"));
      for (int number = from; number < from + 100; number++) {
        command.add("s" + number + ".example");
      }
      redis.tell(command.toArray(String[]::new));
    }
    Callable<List<String>> working =
        () -> {
          RedisSeeds worker = seeds();
          List<String> all = new ArrayList<>();
          for (List<String> some = worker.take(7); !some.isEmpty(); some = worker.take(7)) {
            all.addAll(some);
            worker.stored(some.size(), List.of());
          }
          return all;
        };
    List<String> taken = new ArrayList<>();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<List<String>> one :
          workers.invokeAll(List.of(working, working, working, working))) {
        taken.addAll(one.get());
      }
    }
    assertThat(taken).doesNotHaveDuplicates().hasSize(1000);
  }

  @Test
  void a_bad_entry_is_set_aside_with_its_reason() {
    redis.tell("RPUSH", "start_urls", "ftp://a.example/", "b.example");
    RedisSeeds worker = seeds();
    List<String> taken = worker.take(2);
    worker.stored(2, List.of(new RedisSeeds.RefusedEntry(taken.getFirst(), "no web address")));
    assertThat(redis.tell("LPOP", "{start_urls}:refused"))
        .isEqualTo("no web address: ftp://a.example/");
  }

  @Test
  void an_entry_is_a_url_or_an_object_with_one_as_scrapy_redis_has_it() {
    assertThat(RedisSeeds.url(" https://a.example/ ")).contains("https://a.example/");
    assertThat(
            RedisSeeds.url(
                "{\"meta\": {\"url\": \"no\", \"a\": [1, {}]}, \"url\": \"https://a.example/\","
                    + " \"method\": \"GET\"}"))
        .contains("https://a.example/");
    assertThat(RedisSeeds.url("{\"url\": 5}")).isEmpty();
    assertThat(RedisSeeds.url("{\"uri\": \"https://a.example/\"}")).isEmpty();
    assertThat(RedisSeeds.url("{\"url\": \"https://a.example/\"")).isEmpty();
    assertThat(RedisSeeds.url("{not json")).isEmpty();
    assertThat(RedisSeeds.url("   ")).isEmpty();
    assertThat(RedisSeeds.url("x".repeat(50_000))).isEmpty();
  }

  @Test
  void a_cluster_has_lists_of_seeds_too() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisLink there = RedisLink.connect(RedisAddress.parse(cluster.url()), _ -> {})) {
      for (String key : List.of("start_urls", "one:start_urls", "x{tag}y")) {
        there.ask(redis -> redis.zadd(key, 1, "a.example"));
        RedisSeeds worker = new RedisSeeds(there, key);
        assertThat(worker.take(5)).containsExactly("a.example");
        worker.stored(1, List.of());
        assertThat(worker.take(5)).isEmpty();
      }
    }
  }
}
