package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code backfill} as a user runs it. */
class BackfillCommandTest {
  private static final String LOG =
      """
      domain,page_url,status,images_found,crawled_at
      www.a.example,https://www.a.example/,200,3,2026-02-05 14:30:00
      A.example,https://a.example/2,200,1,2026-02-05 14:31:00
      b.example,https://b.example/,403,0,2026-02-05T14:30:00Z
      """;

  private static final String IMAGES =
      """
      image_id,source_domain
      1,a.example
      1,www.a.example
      2,a.example
      """;

  @TempDir private Path home;
  private Path data;

  @BeforeEach
  void anew() {
    data = home.resolve("data");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text);
  }

  private Said backfill(Object... arguments) {
    List<String> all = new ArrayList<>(List.of("backfill", "--data", data.toString()));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void files_of_a_log_and_of_images_become_domains() throws IOException {
    Said said = backfill(file("log.csv", LOG), file("images.csv", IMAGES));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    assertThat(said.out().lines().filter(line -> !line.startsWith("─")))
        .containsExactly(
            "6 rows read, 0 left out",
            "2 domains, 1 of them in several spellings: 2 new, 0 known already",
            "  closed (forbidden): 1",
            "3 URLs: 2 pages with dates, 0 failed, 1 queued, 0 known already",
            "validation: 3 names in the log, 2 backfilled domains, 2 domains in all",
            "STATUS     DOMAINS  AVERAGE YIELD  AVERAGE PAGES",
            "blocked          1           0.00            0.0",
            "exhausted        1           1.00            2.0");
    assertThat(Commands.run("doctor", "--data", data.toString()).code()).isZero();
    assertThat(Commands.run("refresh", "--plan", "--data", data.toString()).out())
        .contains("a.example");
    assertThat(backfill(home.resolve("log.csv"), "--json").out())
        .contains("\"new_domains\":0,\"known_domains\":2")
        .contains("\"new_pages\":0")
        .contains("\"validation\":{\"crawl_log_domains\":3,\"backfilled_domains\":2");
  }

  @Test
  void a_database_has_both_tables() throws SQLException, IOException {
    Path database = home.resolve("past.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE crawl_log (domain TEXT, page_url TEXT, status INTEGER)");
      statement.execute("INSERT INTO crawl_log VALUES ('a.example', 'https://a.example/', 200)");
      statement.execute("CREATE TABLE provenance (source_domain TEXT, image_id INTEGER)");
      statement.execute("INSERT INTO provenance VALUES ('a.example', 7)");
    }
    Said dry = backfill(database, "--dry-run");
    assertThat(dry.out()).contains("1 domain: would be 1 new, 0 known already");
    assertThat(Commands.run("domains", "--data", data.toString()).out())
        .doesNotContain("a.example");
    assertThat(backfill(database).code()).isZero();
    assertThat(Commands.run("top-domains", "--data", data.toString()).out())
        .contains("a.example", "1.00");
  }

  @Test
  void rows_that_cannot_be_read_are_named_and_the_others_are_taken() throws IOException {
    Said said =
        backfill(
            file(
                "log.csv",
                LOG
                    + "c.example,https://c.example/,many,0,2026-02-05\n"
                    + "x y,,200,0,2026-02-05\n"
                    + "d.example,https://d.example/"
                    + "x".repeat(20_000)
                    + ",200,0,\n"));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("log.csv:5: a number is needed, not \"many\""),
            line -> assertThat(line).startsWith("log.csv:6: ").contains("x y"),
            line ->
                assertThat(line)
                    .isEqualTo("log.csv:7: a value has 20018 characters, but the most are 10000"));
    assertThat(said.out()).startsWith("6 rows read, 3 left out");
  }

  @Test
  void what_cannot_be_read_at_all_is_refused() throws IOException {
    assertThat(backfill(home.resolve("none.csv")).err()).contains("there is no such file");
    assertThat(backfill(file("log.csv", "name,size\nx,1\n")).code()).isEqualTo(2);
    assertThat(backfill("postgresql://me:secret@127.0.0.1:1/x").err())
        .contains("holds a password")
        .doesNotContain("secret");
    Said refused = backfill("postgresql://me@127.0.0.1:1/x");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("the database to read from: ", "cannot be reached");
  }
}
