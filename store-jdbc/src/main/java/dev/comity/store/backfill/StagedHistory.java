package dev.comity.store.backfill;

import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreUnusable;
import dev.comity.store.backfill.PastUrl.PastPage;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * Gathers another program's history in a temporary database: one row for each URL of a domain,
 * whatever the order and the spelling in which visits come. Memory is bounded by SQLite's cache.
 */
public final class StagedHistory implements AutoCloseable {
  /** URLs that are handed on at once. */
  private static final int PORTION = 500;

  /** Visits between two commits: each commit flushes what the cache holds. */
  private static final int COMMIT_EVERY = 50_000;

  /** In kilobytes, which SQLite tells from pages by the sign. */
  private static final int CACHE = -65_536;

  /** Answers that may close a domain, each with a column of its own. */
  private static final List<PastAnswer> CLOSING =
      Arrays.stream(PastAnswer.values()).filter(answer -> answer.closes().isPresent()).toList();

  private static final String COUNTED =
      Stream.concat(
              Stream.of("requests", "errors", "images"),
              CLOSING.stream().map(StagedHistory::column))
          .collect(Collectors.joining(", "));

  private static final String VISIT =
      """
      INSERT INTO urls (domain, url, first_at, last_at, served_at, page_status, due_at, %s)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?%s)
      ON CONFLICT (domain, url) DO UPDATE SET
        first_at = min(coalesce(first_at, excluded.first_at), coalesce(excluded.first_at, first_at)),
        last_at = max(coalesce(last_at, excluded.last_at), coalesce(excluded.last_at, last_at)),
        page_status = CASE WHEN page_status IS NULL
            OR coalesce(excluded.served_at, 0) >= coalesce(served_at, 0)
          THEN coalesce(excluded.page_status, page_status) ELSE page_status END,
        served_at = max(coalesce(served_at, excluded.served_at),
          coalesce(excluded.served_at, served_at)),
        due_at = coalesce(excluded.due_at, due_at), %s
      """
          .formatted(
              COUNTED,
              ", ?".repeat(CLOSING.size()),
              Arrays.stream(COUNTED.split(", ", -1))
                  .map(name -> "%1$s = %1$s + excluded.%1$s".formatted(name))
                  .collect(Collectors.joining(", ")));

  private final Path file;
  private final Statements sql;
  private long uncommitted;

  private StagedHistory(Path file, Statements sql) {
    this.file = file;
    this.sql = sql;
  }

  /** Makes an empty one in the directory for temporary files. */
  public static StagedHistory make() {
    try {
      Path file = Files.createTempFile("comity-backfill", ".db");
      StagedHistory made =
          new StagedHistory(file, new Statements(config().createConnection("jdbc:sqlite:" + file)));
      made.create();
      return made;
    } catch (IOException | SQLException failed) {
      throw new StoreUnusable("no temporary file can be made: " + failed.getMessage(), failed);
    }
  }

  /** What a crash leaves is thrown away, so nothing needs to be safe. */
  private static SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.OFF);
    config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
    config.setCacheSize(CACHE);
    config.setGetGeneratedKeys(false);
    config.setOpenMode(SQLiteOpenMode.NOMUTEX);
    return config;
  }

  private void create() {
    sql.execute(
        """
        CREATE TABLE urls (domain TEXT NOT NULL, url TEXT NOT NULL, first_at INTEGER,
          last_at INTEGER, served_at INTEGER, page_status INTEGER, due_at INTEGER, %s,
          PRIMARY KEY (domain, url)) WITHOUT ROWID
        """
            .formatted(COUNTED.replace(",", " INTEGER,") + " INTEGER"));
    sql.execute(
        "CREATE TABLE images (domain TEXT, image TEXT, PRIMARY KEY (domain, image)) WITHOUT ROWID");
    sql.execute(
        "CREATE TABLE spellings (text TEXT PRIMARY KEY, domain TEXT NOT NULL) WITHOUT ROWID");
    sql.execute("BEGIN");
  }

  private static String column(PastAnswer answer) {
    return answer.name().toLowerCase(Locale.ROOT);
  }

  /** Adds a visit. */
  public void visit(PastVisit visit) {
    PastAnswer answer = PastAnswer.of(visit.status());
    boolean page = visit.requested() && answer.isPage();
    @Nullable Long at = visit.at().map(Instant::toEpochMilli).orElse(null);
    List<@Nullable Object> values = new ArrayList<>();
    values.add(visit.domain().name());
    values.add(visit.url().map(CrawlUrl::toString).orElse(""));
    values.add(at);
    values.add(at);
    values.add(page ? at : null);
    values.add(page ? visit.status().getAsInt() : null);
    values.add(visit.due().map(Instant::toEpochMilli).orElse(null));
    values.add(visit.requested() ? 1 : 0);
    values.add(visit.requested() && answer.isError() ? 1 : 0);
    values.add(visit.images());
    for (PastAnswer closing : CLOSING) {
      values.add(visit.requested() && answer == closing ? 1 : 0);
    }
    write(VISIT, values.toArray());
  }

  /** Adds an image that a domain's pages show; the same one twice is one. */
  public void image(DomainName domain, String image) {
    write("INSERT OR IGNORE INTO images (domain, image) VALUES (?, ?)", domain.name(), image);
  }

  /** Adds the text by which the other program called a domain. */
  public void spelling(String text, DomainName domain) {
    write("INSERT OR IGNORE INTO spellings (text, domain) VALUES (?, ?)", text, domain.name());
  }

  private void write(String statement, @Nullable Object... values) {
    sql.update(statement, values);
    uncommitted++;
    if (uncommitted >= COMMIT_EVERY) {
      uncommitted = 0;
      sql.execute("COMMIT");
      sql.execute("BEGIN");
    }
  }

  /**
   * How much there is.
   *
   * @param spellings texts that name a domain; several may name the same
   * @param merged domains with more than one of them
   */
  public record Extent(long domains, long urls, long requests, long spellings, long merged) {}

  public Extent extent() {
    return new Extent(
        sql.number(
            "SELECT count(*) FROM (SELECT domain FROM urls UNION SELECT domain FROM images)"),
        sql.number("SELECT count(*) FROM urls WHERE url <> ''"),
        sql.number("SELECT coalesce(sum(requests), 0) FROM urls"),
        sql.number("SELECT count(*) FROM spellings"),
        sql.number(
            "SELECT count(*) FROM (SELECT 1 FROM spellings GROUP BY domain HAVING count(*) > 1)"));
  }

  /** Hands on every domain, by name; one with images alone has no request. */
  public void each(Consumer<PastDomain> domains) {
    sql.update(
        "INSERT OR IGNORE INTO urls (domain, url, %1$s) SELECT DISTINCT domain, '', %2$s FROM images"
            .formatted(COUNTED, COUNTED.replaceAll("\\w+", "0")));
    String sums =
        Arrays.stream(COUNTED.split(", ", -1))
            .map("sum(%1$s) AS %1$s"::formatted)
            .collect(Collectors.joining(", "));
    sql.each(
        """
        SELECT domain, min(first_at) AS first_at, max(last_at) AS last_at,
          max(served_at) AS served_at, %s,
          (SELECT count(*) FROM images i WHERE i.domain = u.domain) AS stored,
          (SELECT s.url FROM urls s WHERE s.domain = u.domain AND s.url <> ''
            ORDER BY s.first_at IS NULL, s.first_at, s.url LIMIT 1) AS start
        FROM urls u GROUP BY domain ORDER BY domain
        """
            .formatted(sums),
        row -> domains.accept(domain(row)));
  }

  private static PastDomain domain(ResultRow row) {
    return new PastDomain(
        new DomainName(row.text("domain")),
        row.optionalTime("first_at"),
        row.optionalTime("last_at"),
        row.optionalTime("served_at"),
        row.number("requests"),
        row.number("errors"),
        row.number("images"),
        row.number("stored"),
        closed(row),
        row.optionalText("start"));
  }

  /** More than half of the requests failed; the most frequent failure is the reason. */
  private static Optional<CloseReason> closed(ResultRow row) {
    long failed = CLOSING.stream().mapToLong(answer -> row.number(column(answer))).sum();
    return failed * 2 > row.number("requests")
        ? CLOSING.stream()
            .max(Comparator.comparingLong(answer -> row.number(column(answer))))
            .flatMap(PastAnswer::closes)
        : Optional.empty();
  }

  /** Hands on the URLs of a domain in portions. */
  public void urls(PastDomain domain, Consumer<List<PastUrl>> portions) {
    List<PastUrl> portion = new ArrayList<>();
    sql.each(
        "SELECT url, requests, page_status, served_at, due_at FROM urls"
            + " WHERE domain = ? AND url <> '' ORDER BY url",
        row -> {
          if (CrawlUrl.parse(row.text("url")) instanceof CrawlUrl url) {
            portion.add(new PastUrl(url, page(row), requests(row)));
          }
          if (portion.size() == PORTION) {
            portions.accept(List.copyOf(portion));
            portion.clear();
          }
        },
        domain.name().name());
    if (!portion.isEmpty()) {
      portions.accept(List.copyOf(portion));
    }
  }

  private static int requests(ResultRow row) {
    return (int) Math.min(row.number("requests"), Integer.MAX_VALUE);
  }

  private static Optional<PastPage> page(ResultRow row) {
    OptionalLong status = row.optionalNumber("page_status");
    return status.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PastPage(
                (int) status.getAsLong(),
                row.optionalTime("served_at"),
                row.optionalTime("due_at")));
  }

  @Override
  public void close() {
    sql.close();
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // The system clears its directory of temporary files.
    }
  }
}
