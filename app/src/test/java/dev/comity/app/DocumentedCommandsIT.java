package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.store.ServerDatabase;
import dev.comity.store.open.OpenStore;
import dev.comity.testkit.postgres.PostgresServer;
import dev.comity.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command line that stands in a document is run: as it stands, but with a site of this test
 * in place of example.com and a file of this test in place of one to be named.
 */
class DocumentedCommandsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** A line of a code block, or something between backticks, that calls the launcher. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^\\./comity ([^#\n]+)|`\\./comity ([^`]+)`|`comity ([^`]+)`");

  /** What a line of {@code mvn} or {@code java} names and must be there. */
  private static final Pattern PROFILE = Pattern.compile("mvn [^`\n]*-P([a-z-]+)");

  private static final Pattern MODULES = Pattern.compile("mvn [^`\n]*-pl ([a-z,-]+)");
  private static final Pattern CLASS = Pattern.compile("dev\\.comity(?:\\.[a-z]+)*\\.[A-Z]\\w+");

  @TempDir private Path home;
  private String database = "";

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> all =
          new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md")).sorted().toList());
      all.add(ROOT.resolve("README.md"));
      all.add(ROOT.resolve("CONTRIBUTING.md"));
      return all;
    }
  }

  private static Set<String> commands() throws IOException {
    Set<String> commands = new LinkedHashSet<>();
    for (Path document : documents()) {
      Matcher found = COMMAND.matcher(Files.readString(document));
      while (found.find()) {
        for (int group = 1; group <= found.groupCount(); group++) {
          if (found.group(group) != null) {
            commands.add(found.group(group).strip());
          }
        }
      }
    }
    return commands;
  }

  @Test
  void every_command_in_the_documents_works() throws IOException {
    Set<String> commands = commands();
    assertThat(commands).contains("demo", "doctor", "domains", "config").hasSizeGreaterThan(15);
    try (Site site = site();
        RedisServer redis = RedisServer.start();
        Program demo = Program.start(home, "demo")) {
      Path crawled = Files.createTempDirectory(home, "crawled");
      run(site, redis, crawled, "crawl https://example.com/ --warc DIR");
      for (String command : commands) {
        // The demo takes a minute, so it runs beside the others; a Java file needs the launcher,
        // whose own tests start one.
        if (!command.equals("demo") && !command.startsWith("java ")) {
          for (String words : variants(command)) {
            redis.tell("FLUSHALL");
            redis.tell("RPUSH", "start_urls", "http://example.com/");
            run(site, redis, copyOf(crawled), words);
          }
        }
      }
      assertThat(demo.ended().code()).isZero();
    }
  }

  /** What a crawl has left, for one command alone. */
  private Path copyOf(Path crawled) throws IOException {
    Path copy = Files.createTempDirectory(home, "data");
    try (Stream<Path> files = Files.list(crawled)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  /** With what is optional, and without. */
  private static Set<String> variants(String command) {
    String with = command.replaceAll("[\\[\\]]", "");
    String without = command.replaceAll(" ?\\[[^]]*]", "");
    return new LinkedHashSet<>(List.of(with, without));
  }

  private void run(Site site, RedisServer redis, Path data, String command) throws IOException {
    Path seeds =
        Files.writeString(home.resolve("seeds"), "http://127.0.0.1:" + site.port() + "/\n");
    Path list = Files.writeString(home.resolve("list.csv"), "url\n" + site.url("/about") + "\n");
    Path log =
        Files.writeString(
            home.resolve("log.csv"),
            "domain,page_url,status\nlog.example,https://log.example/,200\n");
    Path recover = Files.writeString(home.resolve("recover"), "F+ https://log.example/ I\n");
    String words =
        command
            .replace("postgresql://crawler@localhost/crawl", database())
            .replace("drain WORKER", "drain documented")
            .replace("redis://localhost:6379", redis.url())
            .replace("FROM...", log.toString())
            .replace("heritrix FILE", "heritrix " + recover)
            .replace("https://example.com/", site.url("/"))
            .replace("example.com", "127.0.0.1:" + site.port())
            .replace("URL...", site.url("/"))
            .replace("why URL", "why " + site.url("/"))
            .replace("FILE...", seeds.toString())
            .replace("FILE", seeds.toString())
            .replace("NAME", "127.0.0.1:" + site.port())
            .replace("TEMPLATE", "/day/#")
            .replace("--sort ...", "--sort priority")
            .replaceAll("--(out|warc|failed) (\\S+)", "--$1 " + home + "/$2")
            .replace("fetch list.csv", "fetch --allow-private " + list);
    Said said =
        new Setup(home)
            .variable("COMITY_DATA", data.toString())
            .variable("COMITY_DELAY", "0")
            .variable("COMITY_BARREN_PAGES", "5")
            .run(words.split(" +", -1));
    assertThat(said.code()).as("%s: %s%s", command, said.out(), said.err()).isZero();
    // The run of the command before it is over by then.
    String expected = command.startsWith("worker ") ? "No run is open in " : "";
    assertThat(said.err()).as(command).startsWith(expected);
    assertThat(said.err().isEmpty()).as(command + said.err()).isEqualTo(expected.isEmpty());
  }

  /**
   * A database with a worker that was just seen. Each command gets the worker anew: a crawl sweeps
   * workers away that were not seen for a lease.
   */
  private String database() {
    if (database.isEmpty()) {
      database = PostgresServer.shared().newDatabase();
      OpenStore.upgrade(ServerDatabase.at(database));
    }
    try (Connection connection = ServerDatabase.at(database).writing();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM workers WHERE id = 'documented-1'");
      statement.execute(
          "INSERT INTO workers (id, name, version, started_at, last_seen_at)"
              + " SELECT 'documented-1', 'documented', max(CAST(version AS INT)), comity_millis(),"
              + " comity_millis() FROM flyway_schema_history");
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
    return database;
  }

  /** A small site with a calendar, so that there is a trap to lift. */
  private static Site site() {
    Site site = Site.open().page("/", "Home", "/day/0", "/about").page("/about", "About us");
    for (int day = 0; day < 30; day++) {
      site.page("/day/" + day, "Day " + day, "/day/" + (day + 1), "/day/" + (day + 2));
    }
    return site;
  }

  @Test
  void what_lines_for_maven_and_java_name_is_there() throws IOException {
    StringBuilder poms = new StringBuilder();
    Set<String> sources = new LinkedHashSet<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(DocumentedCommandsIT::isSource).toList()) {
        String name = ROOT.relativize(file).toString();
        if (name.endsWith("pom.xml")) {
          poms.append(Files.readString(file));
        } else {
          sources.add(
              name.replaceAll(".*/src/(main|test)/java/", "")
                  .replace('/', '.')
                  .replace(".java", ""));
        }
      }
    }
    int checked = 0;
    for (Path document : documents()) {
      String text = Files.readString(document);
      for (String profile : all(PROFILE, text)) {
        assertThat(poms).as("%s: -P%s", document, profile).contains("<id>" + profile + "</id>");
        checked++;
      }
      for (String modules : all(MODULES, text)) {
        assertThat(List.of(modules.split(",", -1)))
            .as("%s: -pl %s", document, modules)
            .allMatch(module -> Files.exists(ROOT.resolve(module).resolve("pom.xml")));
        checked++;
      }
      for (String type : all(CLASS, text)) {
        assertThat(sources).as("%s", document).contains(type);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(10);
  }

  private static boolean isSource(Path file) {
    String name = ROOT.relativize(file).toString();
    return !name.startsWith(".")
        && !name.contains("/target/")
        && (name.endsWith("pom.xml") || (name.contains("/src/") && name.endsWith(".java")));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.groupCount() == 0 ? found.group() : found.group(1))
        .toList();
  }
}
