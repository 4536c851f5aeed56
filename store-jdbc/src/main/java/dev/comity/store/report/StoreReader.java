package dev.comity.store.report;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Reports;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Seed;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.SeedAddresses;
import dev.comity.store.sql.Sha256;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Templates;
import dev.comity.store.sql.UrlKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Reads a store for people, also beside a crawl. It cannot write. Every list has a limit; longer
 * results are handed over row by row.
 */
public final class StoreReader implements Reports, AutoCloseable {
  static final String DOMAINS =
      """
      SELECT d.*,
        (SELECT coalesce(sum(a.discovered), 0) FROM arrivals a WHERE a.domain_id = d.id)
          AS late_discovered,
        (SELECT coalesce(sum(a.over_cap), 0) FROM arrivals a WHERE a.domain_id = d.id)
          AS late_over_cap,
        (SELECT coalesce(sum(a.skipped), 0) FROM arrivals a WHERE a.domain_id = d.id)
          AS late_skipped,
        (SELECT coalesce(sum(c.images_stored), 0) FROM credits c WHERE c.domain_id = d.id)
          AS late_images,
        (SELECT coalesce(sum(t.left_out), 0) FROM url_templates t
          WHERE t.domain_id = d.id AND t.suppressed_since IS NOT NULL) AS links_suppressed,
        (SELECT r.minimum_interval_ms FROM crawl_runs r WHERE r.id = d.last_crawl_run_id)
          AS run_minimum_ms,
        EXISTS (SELECT 1 FROM jobs j WHERE j.domain_id = d.id AND j.run_id = d.spent_run_id)
          AS had_share
      FROM domains d
      """;

  static final String REQUESTS =
      """
      SELECT l.*, d.domain, coalesce(l.url, ${url}, '') AS asked_url, p.location
      FROM crawl_log l
      JOIN domains d ON d.id = l.domain_id
      LEFT JOIN domain_frontier f ON f.id = l.url_id
      ${authority if any}
      LEFT JOIN pages p ON p.id = l.id
      """;

  static final String PAGES =
      """
      SELECT p.*, d.domain, ${url} AS url, f.depth,
        (SELECT r.url FROM urls r WHERE r.id = f.referrer_id) AS referrer
      FROM pages p
      JOIN domains d ON d.id = p.domain_id
      JOIN domain_frontier f ON f.id = p.url_id
      ${authority}
      """;

  private final Statements sql;
  private final SeedAddresses addresses;
  private final boolean crawled;

  private StoreReader(Statements sql, boolean crawled) {
    this.sql = sql;
    addresses = new SeedAddresses(sql);
    this.crawled = crawled;
  }

  /**
   * Opens a store for reading.
   *
   * @throws StoreUnusable if there is nothing in it, or not what this program can read
   */
  public static StoreReader open(StoreLocation place) {
    Schema.require(place);
    Statements sql = Statements.reading(place);
    return new StoreReader(sql, isCrawled(place, sql));
  }

  private static boolean isCrawled(StoreLocation place, Statements sql) {
    return switch (place) {
      case DataDirectory directory -> directory.isCrawled();
      case ServerDatabase _ -> sql.exists("SELECT 1 FROM workers WHERE ended_at IS NULL LIMIT 1");
    };
  }

  /**
   * Whether a crawl was running when this was opened. Its lock tells, not its leases: they outlive
   * a kill, and this process may have another clock.
   */
  public boolean isCrawled() {
    return crawled;
  }

  /** Whether there is a store that this program can read as it is. */
  public static boolean isThere(StoreLocation place) {
    return Schema.isCurrent(place);
  }

  /** Domains of a status, or all, as many as the limit allows. */
  public List<DomainRecord> domains(Optional<DomainStatus> status, DomainOrder order, int limit) {
    String sorted = " ORDER BY " + order.sql() + " LIMIT ?";
    return status.isPresent()
        ? sql.list(
            DOMAINS + " WHERE d.status = ?" + sorted,
            DomainRecord::read,
            StateColumns.status(status.get()),
            limit)
        : sql.list(DOMAINS + sorted, DomainRecord::read, limit);
  }

  /** How many domains there are of each status. */
  public Map<DomainStatus, Long> statuses() {
    Map<DomainStatus, Long> counts = new EnumMap<>(DomainStatus.class);
    sql.each(
        "SELECT status, count(*) AS n FROM domains GROUP BY status",
        row -> counts.merge(status(row), row.number("n"), Long::sum));
    return counts;
  }

  /** How many of a domain's URLs are images. Takes as long as the domain has URLs. */
  public long imageUrls(DomainRecord domain) {
    return sql.number(
        """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM provenance) THEN
          (SELECT count(*) FROM domain_frontier WHERE domain_id = ? AND kind = 3) ELSE 0 END
        """,
        domain.id());
  }

  /** One domain, by its canonical name. */
  public Optional<DomainRecord> domain(String name) {
    return sql.first(DOMAINS + " WHERE d.domain = ?", DomainRecord::read, name);
  }

  @Override
  public Optional<DomainReport> domain(DomainName domain) {
    return domain(domain.name()).map(DomainRecord::report);
  }

  /** Known names that are similar to this one, the nearest first. */
  public List<String> similar(String name, int limit) {
    NearestNames nearest = new NearestNames(name, limit);
    sql.each("SELECT domain FROM domains", row -> nearest.offer(row.text("domain")));
    return nearest.names();
  }

  /** The seeds of all domains that may still be asked, in the order they came in. */
  public void eachOpenSeed(Consumer<Seed> seeds) {
    sql.each(
        """
        SELECT ${url} AS url, b.url AS fallback FROM domain_frontier f
        JOIN domains d ON d.id = f.domain_id AND d.status IN ('pending', 'active')
        ${authority}
        LEFT JOIN fallbacks b ON b.url_id = f.id
        WHERE f.depth = 0 AND f.hops = 0 AND f.referrer_id IS NULL ORDER BY f.id
        """,
        row -> {
          if (CrawlUrl.parse(row.text("url")) instanceof CrawlUrl url) {
            seeds.accept(
                new Seed(url, row.optionalText("fallback").flatMap(StoreReader::readable)));
          }
        });
  }

  /** The seeds of every domain, in the order they came in. */
  public void eachSeed(Consumer<Seed> seeds) {
    sql.each(
        """
        SELECT ${url} AS url FROM domain_frontier f
        ${authority}
        WHERE f.depth = 0 AND f.hops = 0 AND f.referrer_id IS NULL ORDER BY f.id
        """,
        row ->
            readable(row.text("url"))
                .ifPresent(url -> seeds.accept(new Seed(url, Optional.empty()))));
  }

  /** When the pages of domains are looked at again: of these, or of all with dates. */
  public List<RefreshRecord> refreshPlan(Collection<String> domains, Instant now) {
    return RefreshRecord.all(sql, Set.copyOf(domains), now);
  }

  /** A URL that can be read; one that is damaged is left to doctor. */
  private static Optional<CrawlUrl> readable(String text) {
    return CrawlUrl.parse(text) instanceof CrawlUrl url ? Optional.of(url) : Optional.empty();
  }

  /** What is kept of the addresses of all seeds that were named. */
  public List<SeedAddress> namedSeeds() {
    return addresses.named();
  }

  /** What is kept of the addresses of a domain's seeds. */
  public List<SeedAddress> seedAddresses(DomainName domain) {
    return addresses.of(domain);
  }

  /** A domain's last changes of status and claims, the newest first. */
  public List<TransitionRecord> transitions(long domain, int limit) {
    return sql.list(
        "SELECT * FROM transitions WHERE domain_id = ? ORDER BY id DESC LIMIT ?",
        TransitionRecord::read,
        domain,
        limit);
  }

  /** A domain's last requests, the newest first. */
  public List<RequestRecord> requests(long domain, int limit) {
    return sql.list(
        REQUESTS + " WHERE l.domain_id = ? ORDER BY l.started_at DESC, l.id DESC LIMIT ?",
        RequestRecord::read,
        domain,
        limit);
  }

  @Override
  public List<LoggedRequest> requests(DomainName domain, int limit) {
    return domain(domain.name()).map(DomainRecord::id).stream()
        .flatMap(id -> requests(id, limit).stream())
        .map(RequestRecord::logged)
        .toList();
  }

  /** A domain's templates that are suppressed, those first that most is left out of. */
  public List<TemplateStats> traps(String domain) {
    return Templates.readable(sql, domain).stream()
        .filter(stats -> stats.suppressed().isPresent())
        .sorted(Comparator.comparingLong(TemplateStats::leftOut).reversed())
        .toList();
  }

  /** The sub-domains of the name a domain belongs to, where links to some were not kept. */
  public Optional<SubdomainRecord> crowded(String owner) {
    return sql.first(
        "SELECT * FROM subdomains WHERE owner = ? AND left_out > 0", SubdomainRecord::read, owner);
  }

  /** How many requests of a domain in the log bear this note. */
  public long noted(long domain, String note) {
    return sql.number(
        "SELECT count(*) AS n FROM crawl_log WHERE domain_id = ? AND error = ?", domain, note);
  }

  /** What is known of one URL of a domain. */
  public Optional<UrlRecord> url(long domain, CrawlUrl url) {
    return switch (sql.dialect()) {
      case SQLITE ->
          sql.first(
              UrlRecord.QUERY + " AND f.url_key = ? AND a.authority = ? AND f.target = ?",
              UrlRecord::read,
              domain,
              new UrlKey().applyAsLong(url),
              url.authority().toString(),
              url.target());
      case POSTGRES ->
          sql.first(
              UrlRecord.QUERY + " AND f.url_hash = CAST(? AS UUID)",
              UrlRecord::read,
              domain,
              Sha256.half(url.toString()).toString());
    };
  }

  /** Under which schemes, hosts and ports a domain is asked. */
  public List<String> authorities(long domain, int limit) {
    return sql.list(
        "SELECT authority FROM authorities WHERE domain_id = ?"
            + " ORDER BY ${authorities in order} LIMIT ?",
        row -> row.text("authority"),
        domain,
        limit);
  }

  /** The last runs, the newest first, each with a few of its seeds. */
  public List<RunRecord> runs(int limit, int seeds) {
    return sql.list(
        """
        SELECT r.*, r.pages + ${pages of lanes} AS all_pages,
          (SELECT count(*) FROM crawl_run_seeds s WHERE s.run_id = r.id) AS seed_count,
          j.jobs_open, j.jobs_done, j.jobs_failed, j.jobs_spent
        FROM (SELECT * FROM crawl_runs ORDER BY id DESC LIMIT ?) r
        LEFT JOIN (SELECT run_id,
            count(CASE status WHEN 'open' THEN 1 END) AS jobs_open,
            count(CASE status WHEN 'done' THEN 1 END) AS jobs_done,
            count(CASE status WHEN 'failed' THEN 1 END) AS jobs_failed,
            count(CASE status WHEN 'spent' THEN 1 END) AS jobs_spent
          FROM jobs WHERE run_id IN (SELECT id FROM crawl_runs ORDER BY id DESC LIMIT ?)
          GROUP BY run_id) j ON j.run_id = r.id
        ORDER BY r.id DESC
        """,
        row -> RunRecord.read(row, seeds(row.number("id"), seeds), crawled),
        limit,
        limit);
  }

  /** The run that goes on, or would with the next crawl of the same terms. */
  public Optional<Long> openRun() {
    return sql.first(
        "SELECT max(id) AS n FROM crawl_runs WHERE status = 'running' HAVING max(id) > 0",
        row -> row.number("n"));
  }

  private List<String> seeds(long run, int limit) {
    return sql.list(
        "SELECT url FROM crawl_run_seeds WHERE run_id = ? ORDER BY position LIMIT ?",
        row -> row.text("url"),
        run,
        limit);
  }

  @Override
  public Census census(long run) {
    Map<DomainStatus, Long> domains = new EnumMap<>(DomainStatus.class);
    AtomicLong urls = new AtomicLong();
    AtomicLong spent = new AtomicLong();
    sql.each(
        """
        SELECT d.status, count(*) AS n,
          sum(CASE WHEN d.spent_run_id = r.id OR d.status NOT IN ('pending', 'active') THEN 0
            ELSE d.frontier_size + d.frontier_elsewhere + coalesce((SELECT sum(a.discovered) FROM arrivals a
              WHERE a.domain_id = d.id), 0) END) AS urls,
          sum(CASE WHEN d.spent_run_id = r.id AND d.status IN ('pending', 'active') THEN 1
            ELSE 0 END) AS spent
        FROM domains d CROSS JOIN (SELECT CAST(? AS BIGINT) AS id) r
        WHERE d.spent_run_id ${other than} r.id
          OR EXISTS (SELECT 1 FROM jobs j WHERE j.domain_id = d.id AND j.run_id = r.id)
        GROUP BY d.status
        """,
        row -> {
          domains.merge(status(row), row.number("n"), Long::sum);
          urls.addAndGet(row.number("urls"));
          spent.addAndGet(row.number("spent"));
        },
        run);
    return new Census(urls.get(), spent.get(), domains);
  }

  private static DomainStatus status(ResultRow row) {
    return StateColumns.status(row.text("status"));
  }

  /** What there is to do in all, and the claims of workers. */
  public QueueRecord queue(Instant now) {
    return new QueueNumbers(sql, now, crawled).inAll();
  }

  /** What there is to do of the domains with most of it. */
  public List<QueueRecord.Urls> queues(Instant now, int limit) {
    return new QueueNumbers(sql, now, crawled).byDomain(limit);
  }

  /** What there is to do of one domain. */
  public QueueRecord.Urls queue(long domain, Instant now) {
    return new QueueNumbers(sql, now, crawled).of(domain);
  }

  /** The rows of an export. */
  public FilteredRows rows(RowFilter filter) {
    return new FilteredRows(sql, filter);
  }

  @Override
  public void close() {
    sql.close();
  }
}
