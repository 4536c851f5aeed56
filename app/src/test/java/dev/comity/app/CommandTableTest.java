package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.settings.Environment;
import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.store.ServerDatabase;
import dev.comity.store.open.OpenStore;
import dev.comity.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every command that was promised is there, tells about itself, and can be run. */
class CommandTableTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /**
   * A command.
   *
   * @param name as it is called; a space leads to a command of a command
   * @param json whether it prints data
   * @param call what to run, after a backfill of {@link #LOG}; empty where a crawl is needed
   * @param columns what it prints first
   */
  record Row(String name, boolean json, String call, List<String> columns) {
    Row(String name, boolean json, String call, String... columns) {
      this(name, json, call, List.of(columns));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String LOG =
      """
      domain,page_url,status,images_found,crawled_at
      a.example,https://a.example/,200,3,2026-02-05 14:30:00
      www.b.example,https://www.b.example/,403,0,2026-02-05 14:31:00
      """;

  private static final List<Row> TABLE =
      List.of(
          new Row("crawl", true, "crawl SITE --delay 0 -q"),
          new Row("worker", true, "worker --once --db DB"),
          new Row("refresh", true, "refresh --plan"),
          new Row("fetch", true, "fetch LIST --allow-private --delay 0 -q"),
          new Row("add", true, "add SITE", "enqueued"),
          new Row("source", false, ""),
          new Row("source add", true, "source add news --interval 10"),
          new Row("source set", true, "source set olds --interval 2.25", "olds"),
          new Row("source list", true, "source list", "source", "interval", "URLs"),
          new Row("source remove", false, "source remove olds", "olds"),
          new Row("ingest-seeds", true, "ingest-seeds SEEDS"),
          new Row("domain set", true, "domain set a.example --max-pages 5"),
          new Row(
              "domain-status",
              true,
              "domain-status --status exhausted --limit 50",
              "DOMAIN",
              "STATUS",
              "PAGES",
              "IMAGES",
              "YIELD",
              "LAST CRAWLED"),
          new Row("domains", true, "domains --status blocked", "DOMAIN", "STATUS", "PAGES"),
          new Row("domain-info", true, "domain-info A.example", "a.example"),
          new Row("domain-reset", true, "domain-reset b.example --reason review", "b.example"),
          new Row("domain-block", true, "domain-block a.example --reason review", "a.example"),
          new Row("recalculate-priorities", true, "recalculate-priorities"),
          new Row(
              "top-domains",
              true,
              "top-domains --limit 20",
              "DOMAIN",
              "STATUS",
              "PAGES",
              "IMAGES",
              "YIELD",
              "LAST CRAWLED"),
          new Row("why", true, "why a.example", "a.example"),
          new Row("queue", true, "queue"),
          new Row("runs", true, "runs"),
          new Row("claims", true, "claims"),
          new Row("workers", true, "workers"),
          new Row("drain", true, ""),
          new Row("cleanup-stale-runs", true, "cleanup-stale-runs --db DB", "nothing was silent"),
          new Row("frontier", false, ""),
          new Row("frontier move", true, ""),
          new Row("release-stuck-claims", true, "release-stuck-claims"),
          new Row("backfill", true, "backfill LOG", "2 rows read"),
          new Row("import", true, "import heritrix RECOVER", "1 row read"),
          new Row("export", false, "export domains --out TABLE"),
          new Row("prune", true, "prune --older-than 90d"),
          new Row("trap-lift", true, ""),
          new Row("doctor", true, "doctor"),
          new Row("config", true, "config"),
          new Row("demo", false, ""));

  /** Run by their own tests: they need a site with a trap, workers, Redis, or a minute. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "trap-lift", "TrapLiftTest",
          "drain", "ServerStoreTest",
          "frontier move", "RedisCrawlTest",
          "demo", "WordsTest");

  /** They say which commands they have. */
  private static final Set<String> PARENTS = Set.of("source", "frontier");

  @TempDir private Path home;

  private static Stream<Row> rows() {
    return TABLE.stream();
  }

  private static Said help(Row row) {
    List<String> words = new ArrayList<>(List.of(row.name().split(" ", -1)));
    words.add("--help");
    return Commands.run(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void it_is_there_and_tells_what_it_does_and_how_it_ends(Row row) {
    Said said = help(row);
    assertThat(said.code()).isZero();
    assertThat(said.out())
        // Its other name is the one that it had first.
        .startsWith("Usage: comity " + row.name().replace("domain-info", "domain"))
        .contains("Exit codes:")
        .containsPattern("(?m)^ +0 +\\w")
        .containsPattern("(?m)^ +2 +\\w");
    if (row.json()) {
      assertThat(said.out()).contains("--json");
    }
  }

  @Test
  void the_table_has_every_command_of_the_program() {
    List<String> names = new ArrayList<>();
    name("", Main.commandLine(new Environment(Map.of(), home)), names);
    // Both are names that a command had first.
    names.removeAll(List.of("list-runs", "queue-status", "domain", "help"));
    names.add("domain-info");
    assertThat(TABLE)
        .extracting(Row::name)
        .containsExactlyInAnyOrderElementsOf(new HashSet<>(names));
  }

  private static void name(String parent, CommandLine command, List<String> names) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              names.add(parent + name);
              name(parent + sub.getCommandName() + " ", sub, names);
            });
  }

  @ParameterizedTest
  @MethodSource("rows")
  void the_documents_have_it(Row row) throws IOException {
    StringBuilder all = new StringBuilder(Files.readString(ROOT.resolve("README.md")));
    all.append(Files.readString(ROOT.resolve("docs/operating.md")));
    assertThat(all.toString()).containsPattern("(\\./comity |`)" + row.name() + "\\b");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void it_prints_what_it_promises(Row row) throws IOException {
    if (row.call().isEmpty()) {
      assertThat(PARENTS.contains(row.name()) || ELSEWHERE.containsKey(row.name())).isTrue();
      return;
    }
    try (Site site = Site.open().page("/", "Home")) {
      Said said = run(row, site, "text");
      String first = said.out().lines().findFirst().orElse("");
      for (String column : row.columns()) {
        assertThat(first).contains(column);
      }
      if (row.json()) {
        String json = run(row, site, "json").out();
        assertThat(json.lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
      }
    }
  }

  /** Each form has a store of its own, because some commands can be run but once. */
  private Said run(Row row, Site site, String form) throws IOException {
    Path log = Files.writeString(home.resolve("log.csv"), LOG);
    String data = home.resolve(form).toString();
    assertThat(Commands.run("backfill", log.toString(), "--data", data).code()).isZero();
    Path seeds = Files.writeString(home.resolve("seeds.txt"), "c.example\n");
    Commands.run("source", "add", "olds", "--interval", "5", "--data", data);
    Path list = Files.writeString(home.resolve("list.csv"), "url\n" + site.url("/") + "\n");
    Path recover = Files.writeString(home.resolve("recover"), "F+ https://d.example/ I\n");
    List<String> words = new ArrayList<>();
    for (String word : row.call().split(" ", -1)) {
      words.add(
          switch (word) {
            case "LOG" -> log.toString();
            case "SEEDS" -> seeds.toString();
            case "RECOVER" -> recover.toString();
            case "SITE" -> site.url("/");
            case "LIST" -> list.toString();
            case "DB" -> server();
            case "TABLE" -> home.resolve("domains.csv").toString();
            default -> word;
          });
    }
    if (!words.contains("--db")) {
      words.addAll(List.of("--data", data));
    }
    if (form.equals("json")) {
      words.add("--json");
    }
    Said said = Commands.run(words.toArray(String[]::new));
    assertThat(said.code()).as(said.err()).isZero();
    return said;
  }

  private static String server() {
    String db = PostgresServer.shared().newDatabase();
    OpenStore.upgrade(ServerDatabase.at(db));
    return db;
  }

  @Test
  void the_reason_of_a_closed_domain_is_below_its_line() throws IOException {
    Path log = Files.writeString(home.resolve("log.csv"), LOG);
    String data = home.resolve("data").toString();
    Commands.run("backfill", log.toString(), "--data", data);
    assertThat(Commands.run("domain-status", "--data", data).out().lines().map(String::strip))
        .anyMatch(
            line -> Arrays.asList(line.split(" +", -1)).containsAll(List.of("b.example", "0/1")))
        .anyMatch(line -> line.contains("reason: forbidden"));
  }
}
