package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory that cannot be used costs one line, and nobody is asked anything. */
class UnusableDataTest {
  @TempDir private Path home;

  @Test
  void another_crawl_has_it() {
    try (DataDirectory.Hold _ = new DataDirectory(home).hold()) {
      assertRefused(
          home,
          "another crawl (process %d) uses %s: wait for it, stop it, or name another directory"
                  .formatted(ProcessHandle.current().pid(), home)
              + " with --data");
    }
  }

  @Test
  void it_is_a_file() throws IOException {
    Path file = Files.createFile(home.resolve("file"));
    assertRefused(file, file + " is a file; a data directory is needed");
  }

  @Test
  void it_cannot_be_made() throws IOException {
    Path below = Files.createFile(home.resolve("file")).resolve("below");
    assertRefused(below, "cannot use the data directory " + below + ": ");
  }

  @Test
  void it_holds_something_else() throws IOException {
    Files.writeString(home.resolve("comity.db"), "not a database at all, but quite some text\n");
    assertRefused(home, "cannot open " + home.resolve("comity.db") + ": [SQLITE_NOTADB] ");
  }

  @Test
  void an_older_comity_wrote_it_and_a_crawl_without_a_url_goes_on_with_it() {
    Flyway.configure()
        .dataSource("jdbc:sqlite:" + home.resolve("comity.db"), "", "")
        .locations("classpath:dev/comity/store/migrations")
        .placeholders(Map.of("serial", "INTEGER PRIMARY KEY"))
        .target("5")
        .load()
        .migrate();
    assertThat(Commands.run("runs", "--data", home.toString()).err())
        .contains("was written by an older Comity; the next crawl brings it up to date");
    Said said = Commands.run("crawl", "--data", home.toString());
    assertThat(said.code()).as(said.err()).isEqualTo(2);
    assertThat(said.err()).contains("nowhere to start");
    assertThat(Commands.run("runs", "--data", home.toString()).code()).isZero();
  }

  @Test
  void a_newer_comity_wrote_it() throws Exception {
    crawl(home);
    change("UPDATE flyway_schema_history SET version = '99'");
    assertRefused(
        home,
        home + " was written by a newer Comity, which this one does not understand: use that one");
  }

  @Test
  void what_it_says_of_a_domain_cannot_be_read_and_the_others_go_on() throws Exception {
    try (Site bad = Site.open().page("/", "Home", "/1").page("/1", "One");
        Site good = Site.open().page("/", "Home", "/1").page("/1", "One")) {
      crawl(home, bad.url("/"), "--max-pages", "1");
      String name = CrawlUrl.of(bad.url("/")).domain().name();
      change("UPDATE domains SET policy_state = '{\"v\":1,\"learning\":7}'");
      Said said = crawl(home, bad.url("/"), good.url("/"));
      assertThat(said.err()).doesNotContain("Exception");
      assertThat(said.code()).isZero();
      assertThat(good.asked()).contains("/1");
      assertThat(bad.asked()).doesNotContain("/1");
      assertThat(said.out())
          .contains(
              "; set aside as damaged: %s (`comity doctor` says what is wrong,".formatted(name)
                  + " `comity domain-reset NAME` mends it)");
      String mends = "`comity domain-reset %s` mends it".formatted(name);
      String wrong = "a domain's state cannot be read: no object at /learning";
      assertThat(said("domains").out()).contains("set aside as damaged: " + mends, wrong);
      assertThat(said("domain", name).out()).contains("set aside", mends, wrong);
      assertThat(said("domain", name, "--json").out()).contains("\"damage\":\"" + wrong);
      assertThat(said("why", name).out()).contains("it is set aside as damaged: " + mends, wrong);
      assertThat(said("doctor").code()).isEqualTo(1);
      assertThat(said("doctor").out()).contains(name + ": " + wrong, mends);
      assertThat(crawl(home, bad.url("/")).out()).contains(name + " is set aside as damaged");
      assertThat(crawl(home, bad.url("/")).code()).as("nothing could be crawled").isEqualTo(1);
      assertThat(said("domain-reset", name).code()).isZero();
      assertThat(said("doctor").code()).isZero();
      assertThat(crawl(home, bad.url("/")).code()).isZero();
      assertThat(bad.asked()).contains("/1");
    }
  }

  @Test
  void a_status_written_by_hand_is_a_reset_or_refused() throws Exception {
    try (Site site = Site.open().page("/", "Home")) {
      crawl(home, site.url("/"));
      int asked = site.asked().size();
      assertThatThrownBy(() -> change("UPDATE domains SET status = 'blocked'"))
          .hasMessageContaining("comity domain-block NAME --reason TEXT");
      change("UPDATE domains SET status = 'pending'");
      assertThat(said("domains").out())
          .contains("pending", "its status was written by hand; the next crawl resets it");
      Said said = crawl(home, site.url("/"));
      assertThat(said.code()).isZero();
      assertThat(said.err()).isEmpty();
      assertThat(site.asked()).hasSizeGreaterThan(asked);
      assertThat(said("doctor").code()).isZero();
    }
  }

  private Said said(String... arguments) {
    return new Shelf(home).said(arguments);
  }

  @Test
  void it_is_removed_under_a_crawl() {
    Path data = home.resolve("data");
    try (Site site = Site.open().page("/", "Home", "/1")) {
      site.play(
          "/1",
          wire -> {
            Commands.remove(data);
            wire.send(Replies.html(Site.html("Late", "/2")));
          });
      Said said = crawl(data, site.url("/"));
      assertThat(said.err()).isEqualTo("comity: %s\n".formatted(gone(data)));
      assertThat(said.code()).isEqualTo(5);
      assertThat(site.asked()).doesNotContain("/2");
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void another_takes_its_place_under_a_crawl_and_is_left_alone() throws Exception {
    Path data = home.resolve("data");
    Path other = home.resolve("other");
    try (Site site = Site.open().page("/", "Home", "/1")) {
      crawl(other, site.url("/"), "--max-pages", "1");
      try (Connection connection =
              DriverManager.getConnection("jdbc:sqlite:" + other.resolve("comity.db"));
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE crawl_runs SET end_reason = 'in the log only'");
        site.play(
            "/1",
            wire -> {
              Files.move(data, home.resolve("moved"));
              Files.move(other, data);
              wire.send(Replies.html(Site.html("Late", "/2")));
            });
        Said said = crawl(data, site.url("/"));
        assertThat(said.err()).isEqualTo("comity: %s\n".formatted(gone(data)));
        assertThat(said.code()).isEqualTo(5);
        assertThat(data.resolve("comity.db-wal")).isNotEmptyFile();
      }
    }
  }

  private static String gone(Path data) {
    return "the data directory %s is gone: it was removed, moved or replaced under the crawl"
        .formatted(data);
  }

  private void change(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + home.resolve("comity.db"));
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static void assertRefused(Path data, String words) {
    try (Site site = Site.open()) {
      Said said = crawl(data, site.url("/"));
      assertThat(said.code()).isEqualTo(5);
      assertThat(said.out()).isEmpty();
      assertThat(said.err()).startsWith("comity: " + words);
      assertThat(said.err().lines()).hasSize(1);
      assertThat(site.connections()).isZero();
    }
  }

  private static Said crawl(Path data, String... arguments) {
    String[] all = new String[arguments.length + 5];
    System.arraycopy(
        new String[] {"crawl", "--delay", "0", "--data", data.toString()}, 0, all, 0, 5);
    System.arraycopy(arguments, 0, all, 5, arguments.length);
    return Commands.run(all);
  }

  private static void crawl(Path data) {
    try (Site site = Site.open().page("/", "Home")) {
      assertThat(crawl(data, site.url("/")).code()).isZero();
    }
  }
}
