package dev.comity.store.backfill;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The database of another crawler, in the fifth document's shape. */
final class PastDatabase implements AutoCloseable {
  /** The canonical name by SQL alone, for the spellings that are made here. */
  static final String CANONICAL =
      """
      replace(replace(CASE WHEN lower(%1$s) LIKE 'www.%%' THEN substr(lower(%1$s), 5)
        ELSE lower(%1$s) END || '|', '.|', '|'), ':443|', '|')\
      """;

  private static final List<Integer> STATUSES =
      List.of(200, 200, 200, 200, 301, 304, 404, 410, 403, 401, 429, 500, 503, 0);

  private final Connection connection;

  PastDatabase(String url) throws SQLException {
    connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    execute(
        "CREATE TABLE crawl_log (id INTEGER, domain VARCHAR(255), page_url TEXT,"
            + " status INTEGER, images_found INTEGER, crawled_at TEXT, body TEXT)");
    execute("CREATE TABLE provenance (image_id TEXT, source_domain VARCHAR(255))");
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    connection.commit();
  }

  /** One request; a status below 100 is none. */
  void log(String domain, String url, int status, int images, String at) throws SQLException {
    insert(
        "INSERT INTO crawl_log (domain, page_url, status, images_found, crawled_at)"
            + " VALUES (?, ?, ?, ?, ?)",
        domain,
        url,
        status < 100 ? null : status,
        images,
        at);
  }

  void image(String domain, String image) throws SQLException {
    insert("INSERT INTO provenance (source_domain, image_id) VALUES (?, ?)", domain, image);
  }

  private void insert(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        insert.setObject(i + 1, values[i]);
      }
      insert.executeUpdate();
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  /** Requests of some domains, a twentieth of them under another spelling of the domain. */
  void fill(int rows, long seed) throws SQLException {
    Random random = new Random(seed);
    for (int row = 0; row < rows; row++) {
      int site = (int) Math.abs(random.nextGaussian() * 12);
      String name = "site" + site + ".example";
      String spelled = random.nextInt(20) == 0 ? spelling(name, random) : name;
      int page = random.nextInt(40);
      int luck = random.nextInt(STATUSES.size());
      int status = site % 5 == 4 ? List.of(403, 503, 200).get(luck % 3) : STATUSES.get(luck);
      log(
          spelled,
          "https://" + spelled + "/page/" + page,
          status,
          random.nextInt(4),
          "2026-02-%02d 10:%02d:%02d+00"
              .formatted(1 + random.nextInt(27), random.nextInt(60), random.nextInt(60)));
      if (random.nextInt(4) == 0) {
        image(spelled, "image-" + random.nextInt(200));
      }
    }
    commit();
  }

  private static String spelling(String name, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "www." + name;
      case 1 -> "WWW." + name.toUpperCase(java.util.Locale.ROOT);
      case 2 -> name + ".";
      default -> name + ":443";
    };
  }

  /** Each domain's line of what SQL counts. */
  static Map<String, String> lines(Connection from, String query) throws SQLException {
    Map<String, String> lines = new TreeMap<>();
    try (Statement statement = from.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        lines.put(rows.getString(1), rows.getString(2));
      }
    }
    return lines;
  }

  Map<String, String> lines(String query) throws SQLException {
    return lines(connection, query);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
