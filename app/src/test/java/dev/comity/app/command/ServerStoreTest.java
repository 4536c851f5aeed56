package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with a database on a server in place of a data directory. */
class ServerStoreTest {
  private static final String PASSWORD = "s3cret-Word";

  @TempDir private Path home;

  private static String fresh() {
    return PostgresServer.shared().newDatabase();
  }

  /** The same with a password, which this server does not ask for. */
  private static String withPassword(String url) {
    return url.replaceFirst(
        "jdbc:postgresql://([^?]*).*", "postgresql://comity:" + PASSWORD + "@$1");
  }

  private Said run(String db, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--db", db));
    return new Setup(home).run(all.toArray(String[]::new));
  }

  private static Site site() {
    return Site.open().page("/", "Home", "/1", "/2").page("/1", "One").page("/2", "Two");
  }

  private static String[] crawl(Site site, String... more) {
    List<String> words = new ArrayList<>(List.of("crawl", site.url("/"), "--delay", "0", "-q"));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Test
  void a_crawl_is_kept_on_the_server_and_every_report_reads_it_there() throws Exception {
    String db = fresh();
    try (Site site = site()) {
      String name = "127.0.0.1:" + site.port();
      Said said = run(db, crawl(site, "--out", home.resolve("pages.jsonl").toString()));
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(home.resolve("pages.jsonl")).content().hasLineCount(3);
      assertThat(home.resolve("comity-data")).doesNotExist();
      assertThat(run(db, "runs").out()).contains("finished  3/1000");
      assertThat(run(db, "domains").out()).contains(name).contains("exhausted");
      assertThat(run(db, "top-domains").out()).contains(name);
      assertThat(run(db, "queue").out()).contains("no claim is held");
      assertThat(run(db, "claims").out().strip()).isEqualTo("no claim is held");
      assertThat(run(db, "workers").out().strip()).isEqualTo("no worker is up");
      assertThat(run(db, "workers", "--all", "--json").out()).contains("\"state\":\"ended\"");
      assertThat(run(db, "cleanup-stale-runs").out()).startsWith("nothing was silent");
      assertThat(run(db, "recalculate-priorities").code()).isZero();
      assertThat(run(db, "doctor").out()).contains("ok     schema").doesNotContain("WRONG");
      assertThat(run(db, "doctor", "--json").out()).contains("\"check\":\"workers\"");
      assertThat(run(db, "prune", "--older-than", "0s", "--dry-run", "--json").out())
          .contains("\"dry_run\":true,\"log\":");
      assertThat(run(db, "prune", "--older-than", "0s", "--log", "--transitions").out())
          .containsPattern("removed [3-9] requests of the log");
      assertThat(run(db, "prune", "--older-than", "0s", "--compact").code()).isZero();
      assertThat(run(db, "doctor").code()).isZero();
      assertThat(run(db, "trap-lift", name).err())
          .contains("nothing of " + name + " is suppressed");
      assertThat(run(db, "domain", "set", name, "--pause").out()).contains("paused");
      assertThat(run(db, "domain-block", name, "--reason", "test").out()).contains("blocked");
      assertThat(run(db, "domain-reset", name).out()).contains("pending, 1 URL queued again");
      assertThat(run(db, "worker", "--once").code()).isZero();
    }
  }

  @Test
  void what_is_wrong_in_a_database_is_named_with_exit_code_1() throws Exception {
    String db = fresh();
    try (Site site = site()) {
      assertThat(run(db, crawl(site)).code()).isZero();
      try (Connection connection = DriverManager.getConnection(db);
          Statement statement = connection.createStatement()) {
        statement.execute("UPDATE domains SET requests = 99");
      }
      Said said = run(db, "doctor");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.out()).contains("WRONG  counters").contains("99 requests are counted");
      assertThat(run(db, "domain-reset", "127.0.0.1:" + site.port()).code()).isZero();
      assertThat(run(db, "doctor").code()).isZero();
    }
  }

  @Test
  void budgets_and_caps_of_a_run_are_those_that_its_row_has() throws Exception {
    String db = fresh();
    try (Site site = site()) {
      Path settings = home.resolve("own.yaml");
      Files.writeString(
          settings,
          "max-pages-per-domain: 1\ndomains:\n  127.0.0.1:%d:\n    max-pages-per-domain: 3\n"
              .formatted(site.port()));
      assertThat(run(db, crawl(site, "--config", settings.toString())).code()).isZero();
      assertThat(run(db, "runs").out()).contains("3/1000");
      Said said = run(db, "doctor");
      assertThat(said.code()).as(said.out()).isZero();
    }
  }

  @Test
  void the_same_crawl_goes_on_and_another_one_begins_its_own_run() throws Exception {
    String db = fresh();
    try (Site site = site()) {
      assertThat(run(db, crawl(site, "--max-pages", "1")).code()).isZero();
      assertThat(run(db, crawl(site, "--max-pages", "2")).out()).contains("1 page ");
      assertThat(run(db, crawl(site, "--max-depth", "0")).code()).isZero();
      assertThat(run(db, "runs").out()).contains("2/2").contains("1/1000");
    }
  }

  @Test
  void images_that_a_refresh_finds_say_so() throws Exception {
    String db = fresh();
    try (Site site =
        Site.open()
            .reply("/", Replies.html("<title>One</title><img src=/a.png>"))
            .reply("/a.png", Replies.ok("image/png", picture(1)))
            .reply("/b.png", Replies.ok("image/png", picture(2)))) {
      Said crawled = run(db, crawl(site, "--images", "metadata"));
      assertThat(crawled.code()).as(crawled.err()).isZero();
      site.reply("/", Replies.html("<title>One more</title><img src=/a.png><img src=/b.png>"));
      try (Connection connection = DriverManager.getConnection(db);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "UPDATE domain_frontier SET due_at = due_at - 1728000000, visited_at = visited_at -"
                + " 1728000");
        statement.execute(
            "UPDATE domains SET next_crawl_after = next_crawl_after - 1728000000,"
                + " refresh_state = NULL");
      }
      Said said = run(db, "refresh", "--images", "metadata", "--delay", "0", "-q");
      assertThat(said.code()).as(said.err()).isZero();
      Path out = home.resolve("images.jsonl");
      run(db, "export", "images", "--out", out.toString());
      assertThat(Files.readAllLines(out))
          .satisfiesExactlyInAnyOrder(
              line -> assertThat(line).contains("/a.png\"", "\"discovery_type\":\"discovery\""),
              line -> assertThat(line).contains("/b.png\"", "\"discovery_type\":\"refresh\""));
    }
  }

  private static byte[] picture(int color) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BufferedImage image = new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB);
    image.setRGB(1, 1, color);
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  @Test
  void a_password_on_the_command_line_is_refused_and_not_repeated() {
    Said said = run(withPassword(fresh()), "runs");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("db has a password on the command line").contains("~/.pgpass");
    assertThat(said.out() + said.err()).doesNotContain(PASSWORD);
  }

  @Test
  void a_password_of_the_environment_is_used_and_shown_nowhere() throws Exception {
    for (String variable : List.of("COMITY_DB", "DATABASE_URL")) {
      String db = fresh();
      Setup setup = new Setup(home).variable(variable, withPassword(db));
      try (Site site = site()) {
        String[] crawl = crawl(site);
        List<String[]> commands =
            List.of(
                crawl,
                new String[] {"config"},
                new String[] {"config", "db"},
                new String[] {"config", "--json"},
                new String[] {"runs"},
                new String[] {"workers", "--all", "--json"});
        for (String[] words : commands) {
          Said said = setup.run(words);
          assertThat(said.code()).as("%s: %s", words[0], said.err()).isZero();
          assertThat(said.out() + said.err()).doesNotContain(PASSWORD);
        }
        assertThat(setup.run("config", "db").out()).contains("db: postgresql://comity@127.0.0.1:");
        assertThat(run(db, "runs").out()).contains("finished");
      }
      for (String broken : List.of("postgresql://u:%s@127.0.0.1:1/x", "mysql://u:%s@host/x")) {
        Said said =
            new Setup(home).variable("COMITY_DB", broken.formatted(PASSWORD)).run("workers");
        assertThat(said.code()).isNotZero();
        assertThat(said.err()).isNotEmpty().doesNotContain(PASSWORD);
      }
    }
  }

  @Test
  void an_address_of_another_database_in_the_environment_of_others_has_no_effect() {
    Said said = new Setup(home).variable("DATABASE_URL", "mysql://host/x").run("runs");
    assertThat(said.err()).contains("no crawl has left anything there");
  }

  @Test
  void what_is_wrong_with_a_server_is_said_with_the_way_out() {
    assertThat(run("postgresql://comity@127.0.0.1:1/x", "runs").err())
        .contains("postgresql://comity@127.0.0.1:1/x cannot be reached: start the server");
    assertThat(run(fresh().replaceFirst("/test\\d+", "/nowhere"), "runs").err())
        .contains("there is no database nowhere on this server; make it with `createdb nowhere`");
    assertThat(run(fresh(), "runs").err()).contains("there is nothing in postgresql://");
    assertThat(run("http://example.com/", "runs").err())
        .contains("db begins with http: and is no address of a PostgreSQL database");
    assertThat(new Setup(home).run("worker").err()).contains("db is not set");
    assertThat(new Setup(home).run("drain", "x").err()).contains("db is not set");
  }

  @Test
  void an_address_that_makes_no_sense_is_refused_with_the_rule() {
    assertThat(run("postgresql://comity@one:99999/x", "runs").err())
        .contains("db names a server in a wrong way: write host or host:port, with a port from 1");
    assertThat(run("postgresql://comity@one:two/x", "runs").err()).contains("with a port from");
    assertThat(run("postgresql://comity@one,/x", "runs").code()).isEqualTo(2);
    assertThat(run("postgresql://comity@one/x?sslpassword=" + PASSWORD, "runs").err())
        .contains("db has a password on the command line")
        .doesNotContain(PASSWORD);
    for (String slash : List.of("%s/x@one/x", "%s/x@one", "x/%s@one")) {
      Said said =
          new Setup(home)
              .variable("COMITY_DB", "postgresql://u:" + slash.formatted(PASSWORD))
              .run("runs");
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains("no address of").doesNotContain(PASSWORD);
    }
    assertThat(run("postgresql://comity@no.such.host.invalid/x", "runs").err())
        .contains("cannot be reached", "no address is found for its host");
  }

  @Test
  void a_worker_without_a_good_name_is_refused() {
    Said said = run(fresh(), "worker", "--once", "--name", "a b");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("name is a b, but must be 1 to 64 letters, digits");
    assertThat(run(fresh(), "worker", "--once", "--name", "").code()).isEqualTo(2);
  }

  @Test
  void files_of_images_need_a_directory_that_workers_share() throws Exception {
    try (Site site = site()) {
      String db = fresh();
      assertThat(run(db, crawl(site, "--images")).err())
          .contains("name a directory that all workers share with --data DIR");
      assertThat(run(db, crawl(site, "--images", "metadata")).code()).isZero();
    }
  }

  @Test
  void a_worker_refuses_what_its_run_decides() {
    Said said = run(fresh(), "worker", "--lease", "1m");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("lease is set by the run, not by a worker");
  }
}
