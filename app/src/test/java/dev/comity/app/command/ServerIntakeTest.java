package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds, sources and single URLs in a database: same words and codes as in a directory. */
class ServerIntakeTest {
  @TempDir private Path home;
  private final String db = PostgresServer.shared().newDatabase();

  private Said inDatabase(String... words) {
    return run(words, "--db", db);
  }

  private Said inDirectory(String... words) {
    return run(words, "--data", home.resolve("comity-data").toString());
  }

  private static Said run(String[] words, String... where) {
    return Commands.run(Stream.concat(Stream.of(words), Stream.of(where)).toArray(String[]::new));
  }

  /** The same in both; a time and a wait differ. */
  private void same(String... words) {
    Said directory = inDirectory(words);
    Said database = inDatabase(words);
    String command = String.join(" ", words);
    assertThat(database.code()).as(command + database.err()).isEqualTo(directory.code());
    assertThat(timeless(database.out())).as(command).isEqualTo(timeless(directory.out()));
    assertThat(timeless(database.err())).as(command).isEqualTo(timeless(directory.err()));
    assertThat(database.out() + database.err()).as(command).isNotBlank();
  }

  private static String timeless(String text) {
    return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT?[ ]?[0-9:.]*Z?", "TIME")
        .replaceAll("asked in \\d+ s", "asked in N s")
        .replaceAll("\"wait_seconds\":\\d+", "\"wait_seconds\":N");
  }

  private long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(db);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  private String file(String name, String... lines) throws IOException {
    return Files.write(home.resolve(name), List.of(lines)).toString();
  }

  @Test
  void sources_and_urls_are_answered_in_the_same_words() throws IOException {
    try (Site site = Site.open().page("/a", "A").page("/b", "B")) {
      same("source", "add", "news", "--interval", "100");
      same("source", "add", "news");
      same("source", "add", "news", "--interval", "5", "--json");
      same("source", "set", "olds", "--interval", "5");
      same("source", "list");
      same("add", site.url("/a"), site.url("/a"), "ht tp://no", "--source", "news");
      assertThat(inDirectory("crawl", "--quiet").code()).isZero();
      assertThat(inDatabase("crawl", "--quiet").code()).isZero();
      same("add", site.url("/b"), "--source", "news");
      same("add", site.url("/c"), "--source", "news", "--json");
      same("add", site.url("/a"), "--source", "news", "--json");
      same("add", site.url("/d"), "--source", "olds");
      same("source", "list", "--json");
      String urls = file("urls.txt", "http://a.example/", "# no", "http://b.example/", "no url");
      same("source", "add", "blogs", "--file", urls);
      same("source", "set", "blogs", "--interval", "0.25");
      same("source", "set", "blogs", "--interval", "default", "--json");
      same("source", "remove", "news");
      same("source", "remove", "news");
      same("source", "remove", "blogs", "--json");
      same("source", "list");
      same("domain-block", "127.0.0.1:" + site.port(), "--reason", "enough");
      same("add", site.url("/e"));
    }
  }

  @Test
  void seeds_of_files_are_taken_in_the_same_words_and_their_ranks_count()
      throws IOException, SQLException {
    String ranked = file("ranked.csv", "rank,url", "900000,https://a.example/", "1,b.example");
    same("ingest-seeds", ranked);
    same("ingest-seeds", ranked, "--json");
    same("ingest-seeds", file("bad.txt", "http://c.example/", "no url"));
    same("ingest-seeds", file("empty.txt", ""));
    assertThat(number("SELECT seed_rank FROM domains WHERE domain = 'b.example'")).isOne();
    assertThat(inDatabase("domain-info", "a.example").out()).contains("ranked.csv of ");
    assertThat(inDatabase("workers", "--all").out().strip()).isEqualTo("no worker is up");
  }

  @Test
  void seeds_of_a_list_in_redis_enter_the_database_and_leave_their_list() {
    try (RedisServer redis = RedisServer.start()) {
      redis.tell("ZADD", "start_urls", "1", "http://a.example/", "2", "{\"url\": \"b.example\"}");
      redis.tell("ZADD", "start_urls", "3", "ftp://c.example/");
      Said said = inDatabase("ingest-seeds", redis.url() + "/0/start_urls");
      assertThat(said.code()).isEqualTo(6);
      assertThat(said.out()).isEqualTo("2 seeds enqueued, 0 known already, 1 refused\n");
      assertThat(redis.tell("EXISTS", "start_urls")).isEqualTo(":0");
      assertThat(redis.tell("LLEN", "{start_urls}:refused")).isEqualTo(":1");
    }
    assertThat(inDatabase("domains").out()).contains("a.example", "b.example");
  }
}
