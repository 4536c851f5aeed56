package dev.comity.bench;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreSettings;
import dev.comity.store.backfill.Backfill;
import dev.comity.store.backfill.DirectoryHistory;
import dev.comity.store.backfill.HistoryStore;
import dev.comity.store.backfill.LeftOutRows;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastTables;
import dev.comity.store.backfill.PostgresHistory;
import dev.comity.store.backfill.StagedHistory;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.testkit.postgres.PostgresNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;

/**
 * Backfills a log with a twentieth of its rows under another spelling of the domain, twice, and
 * compares every domain's counters with a count by SQL alone. Arguments: rows, domains, and where
 * to: a new directory, or {@code postgres} for a server of its own.
 */
@NullMarked
public final class BackfillLoad {
  private static final String CANONICAL =
      "replace(replace(CASE WHEN lower(%1$s) LIKE 'www.%%' THEN substr(lower(%1$s), 5)"
          + " ELSE lower(%1$s) END || '|', '.|', '|'), ':443|', '|')";

  private static final String COUNTED =
      """
      SELECT l.name, count(*) || ' ' || count(DISTINCT l.url) || ' '
        || count(DISTINCT CASE WHEN NOT l.failed THEN l.url END) || ' '
        || sum(l.failed AND coalesce(status, 0) <> 429) || ' ' || sum(images_found) || ' '
        || coalesce(max(i.images), 0) || ' '
        || CASE WHEN sum(l.failed) * 2 > count(*) THEN 'closed' ELSE 'exhausted' END
      FROM (SELECT status, images_found, %s AS name,
          status IS NULL OR status IN (401, 403, 429) OR status >= 500 AS failed,
          replace(replace(lower(page_url), ':443/', '/'), './', '/') AS url
        FROM crawl_log) l
      LEFT JOIN (SELECT %s AS name, count(DISTINCT image_id) AS images FROM provenance
        GROUP BY 1) i ON i.name = l.name
      GROUP BY l.name
      """
          .formatted(CANONICAL.formatted("domain"), CANONICAL.formatted("source_domain"));

  private static final String KEPT =
      """
      SELECT domain || '|', requests || ' ' || pages_discovered || ' ' || pages_crawled || ' '
        || total_error_count || ' ' || images_found || ' ' || images_stored || ' '
        || CASE WHEN status = 'exhausted' THEN 'exhausted' ELSE 'closed' END
      FROM domains
      """;

  private BackfillLoad() {}

  /** Runs it, and ends with 1 where counts differ. */
  public static void main(String[] arguments) throws IOException, SQLException {
    int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
    int domains = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
    Path home = Files.createTempDirectory("comity-backfill-load");
    Path log = home.resolve("past.db");
    fill(log, rows, domains);
    System.out.printf(Locale.ROOT, "log: %d rows, %d MB%n", rows, Files.size(log) >> 20);
    boolean same;
    if (arguments.length > 2 && arguments[2].equals(LoadTarget.OWN_SERVER)) {
      try (PostgresNode server = PostgresNode.durable()) {
        same = compare(log, ServerDatabase.at(server.url("postgres")), rows);
      }
    } else {
      same = compare(log, new DataDirectory(home.resolve("data")), rows);
    }
    System.out.println("left in " + home);
    System.exit(same ? 0 : 1);
  }

  private static boolean compare(Path log, StoreLocation to, int rows) throws SQLException {
    backfill("first", log, to, rows);
    Map<String, String> first = kept(to);
    backfill("second", log, to, rows);
    Map<String, String> second = kept(to);
    Map<String, String> counted = lines(DriverManager.getConnection("jdbc:sqlite:" + log), COUNTED);
    boolean same = counted.equals(first) && counted.equals(second);
    System.out.printf(
        Locale.ROOT,
        "%d domains counted by SQL, %d kept, %s; store %d MB; %s%n",
        counted.size(),
        second.size(),
        same ? "all counters equal after each time" : "COUNTERS DIFFER",
        size(to) >> 20,
        mostMemory());
    return same;
  }

  private static Map<String, String> kept(StoreLocation place) throws SQLException {
    return lines(place.reading(), KEPT);
  }

  private static long size(StoreLocation place) throws SQLException {
    String query =
        switch (place.dialect()) {
          case SQLITE ->
              "SELECT 1, page_count * page_size FROM pragma_page_count(), pragma_page_size()";
          case POSTGRES -> "SELECT 1, pg_database_size(current_database())";
        };
    return Long.parseLong(lines(place.reading(), query).getOrDefault("1", "0"));
  }

  /** The most memory that this process had. */
  private static String mostMemory() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmHWM"))
          .findFirst()
          .orElse("");
    } catch (IOException _) {
      return "";
    }
  }

  private static HistoryStore open(StoreLocation place, StoreSettings settings) {
    return switch (place) {
      case DataDirectory directory -> DirectoryHistory.open(directory, settings);
      case ServerDatabase server -> PostgresHistory.open(PostgresDatabase.at(server), settings);
    };
  }

  private static void backfill(String which, Path log, StoreLocation to, int rows) {
    long began = System.nanoTime();
    long busy = processorTime();
    LeftOutRows leftOut = new LeftOutRows();
    StoreSettings settings =
        StoreSettings.of(
            new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, Clock.systemUTC());
    try (StagedHistory staged = StagedHistory.make();
        PastTables tables = PastTables.file(log)) {
      tables.read(
          new PastRows(staged, Grouping.BY_HOST, leftOut, _ -> {}, Clock.systemUTC().instant()));
      double gathered = (System.nanoTime() - began) / 1e9;
      Backfill.BackfillResult done;
      try (HistoryStore store = open(to, settings)) {
        done = new Backfill(staged).write(store, _ -> {});
      }
      double all = (System.nanoTime() - began) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%s: %s, URLs %s, %d left out; gathered in %.1f s, all in %.1f s, %.0f rows/s,"
              + " %.1f CPU-seconds, heap %d MB%n",
          which,
          done.domains(),
          done.urls(),
          leftOut.count(),
          gathered,
          all,
          rows / all,
          (processorTime() - busy) / 1e9,
          (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20);
    }
  }

  private static long processorTime() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  private static void fill(Path log, int rows, int domains) throws SQLException {
    Random random = new Random(41);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + log);
        Statement tables = connection.createStatement()) {
      connection.setAutoCommit(false);
      tables.execute(
          "CREATE TABLE crawl_log (domain TEXT, page_url TEXT, status INTEGER, images_found"
              + " INTEGER, crawled_at TEXT)");
      tables.execute("CREATE TABLE provenance (source_domain TEXT, image_id TEXT)");
      try (PreparedStatement request =
              connection.prepareStatement("INSERT INTO crawl_log VALUES (?, ?, ?, ?, ?)");
          PreparedStatement image =
              connection.prepareStatement("INSERT INTO provenance VALUES (?, ?)")) {
        for (int row = 0; row < rows; row++) {
          String name = "site" + random.nextInt(domains) + ".example";
          String spelled = random.nextInt(20) == 0 ? spelling(name, random) : name;
          request.setString(1, spelled);
          request.setString(2, "https://" + spelled + "/page/" + random.nextInt(100));
          int luck = random.nextInt(10);
          boolean closed = name.contains("7.");
          request.setObject(3, closed && luck < 7 ? (Integer) 403 : status(luck));
          request.setInt(4, random.nextInt(4));
          request.setString(
              5, "2026-02-%02d 10:%02d:00+00".formatted(1 + random.nextInt(27), luck));
          request.executeUpdate();
          if (luck == 0) {
            image.setString(1, spelled);
            image.setString(2, "image-" + random.nextInt(1000));
            image.executeUpdate();
          }
        }
      }
      connection.commit();
    }
  }

  private static Integer status(int luck) {
    return switch (luck) {
      case 0 -> 404;
      case 1 -> 503;
      case 2 -> 429;
      default -> 200;
    };
  }

  private static String spelling(String name, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "www." + name;
      case 1 -> "WWW." + name.toUpperCase(Locale.ROOT);
      case 2 -> name + ".";
      default -> name + ":443";
    };
  }

  private static Map<String, String> lines(Connection from, String query) throws SQLException {
    Map<String, String> lines = new TreeMap<>();
    try (from;
        Statement statement = from.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        lines.put(rows.getString(1), rows.getString(2));
      }
    }
    return lines;
  }
}
