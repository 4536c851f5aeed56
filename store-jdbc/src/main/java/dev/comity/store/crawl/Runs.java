package dev.comity.store.crawl;

import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.Sha256;
import dev.comity.store.sql.Statements;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Begins, continues and ends runs. Runs in the writer's thread. */
public final class Runs {
  private static final JsonFactory JSON = new JsonFactory();

  private final Statements sql;
  private final Duration minimumInterval;
  private long id;
  private boolean reachesFurther;
  private boolean isRefresh;

  /**
   * @param minimumInterval what this process keeps between two requests at least, told to readers
   */
  public Runs(Statements sql, Duration minimumInterval) {
    this.sql = sql;
    this.minimumInterval = minimumInterval;
  }

  /** The run this process works on. */
  public long id() {
    return id;
  }

  /** Whether the run visits known pages that are due. */
  boolean isRefresh() {
    return isRefresh;
  }

  /** Whether the run goes on since its scope is wider than it was. */
  boolean reachesFurther() {
    return reachesFurther;
  }

  /** The domains it was at. */
  public List<DomainName> domains() {
    return sql.list(
        "SELECT d.domain FROM jobs j JOIN domains d ON d.id = j.domain_id WHERE j.run_id = ?",
        row -> new DomainName(row.getString(1)),
        id);
  }

  /**
   * Joins or begins a run.
   *
   * @param inUse whether another worker holds a domain
   */
  public Run begin(RunTerms terms, BooleanSupplier inUse, long now) {
    reachesFurther = false;
    isRefresh = terms.isRefresh();
    String wanted = text(terms);
    Optional<Run> open =
        sql.first(
            "SELECT id, pages, unkept, images FROM crawl_runs WHERE status = 'running' AND terms ="
                + " ? ORDER BY id DESC",
            row ->
                new Run(
                        row.getLong(1),
                        true,
                        row.getLong(2),
                        row.getLong(3),
                        new MovedSeeds(sql).ends(row.getLong(1)),
                        OptionalLong.empty())
                    .withImages(row.getLong(4)),
            wanted);
    if (open.isPresent()) {
      id = open.get().id();
      sql.update(
          """
          UPDATE crawl_runs SET lives = lives + 1, resumed_at = max(?, started_at), end_reason = NULL,
            minimum_interval_ms = ? WHERE id = ?
          """,
          now,
          minimumInterval.toMillis(),
          id);
      return open.get();
    }
    Optional<Earlier> earlier = narrower(terms, wanted);
    Optional<Long> superseded =
        sql.first(
            "SELECT max(id) FROM crawl_runs WHERE status = 'running' AND id <> ?"
                + " HAVING count(*) > 0",
            row -> row.getLong(1),
            earlier.map(Earlier::id).orElse(0L));
    if (superseded.isPresent() && inUse.getAsBoolean()) {
      throw new RunInUse(superseded.get());
    }
    OptionalLong closed =
        superseded.isPresent() ? OptionalLong.of(superseded.get()) : OptionalLong.empty();
    sql.update(
        """
        UPDATE crawl_runs SET status = 'superseded', ended_at = max(?, started_at),
          end_reason = 'another crawl was begun' WHERE status = 'running' AND id <> ?
        """,
        now,
        earlier.map(Earlier::id).orElse(0L));
    if (earlier.isPresent()) {
      id = earlier.get().id();
      openAgain(terms, wanted, now);
      reachesFurther = terms.reachFurther(earlier.get().terms().scope());
      if (reachesFurther) {
        new RunScope(sql).lift(id, now);
      }
      return new Run(
              id,
              true,
              earlier.get().pages(),
              earlier.get().unkept(),
              new MovedSeeds(sql).ends(id),
              closed)
          .withImages(earlier.get().images());
    }
    id = open(terms, wanted, now);
    return Run.begun(id, closed);
  }

  private record Earlier(
      long id, String status, long pages, long unkept, String text, long images) {
    Terms terms() {
      return Terms.read(text);
    }
  }

  /** What the text of terms says, seeds left out. */
  public record Terms(Map<String, String> scope, long pages, long pagesPerDomain, long images) {
    public static Terms read(String text) {
      Map<String, String> scope = new HashMap<>();
      long pages = Long.MAX_VALUE;
      long pagesPerDomain = Long.MAX_VALUE;
      long images = 0;
      try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
        json.nextToken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          json.nextToken();
          switch (name) {
            case "max_pages" -> pages = json.getLongValue();
            case "max_pages_per_domain" -> pagesPerDomain = json.getLongValue();
            case "max_images" -> images = json.getLongValue();
            case "scope" -> {
              while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String term = json.currentName();
                json.nextToken();
                scope.put(term, json.getString());
              }
            }
            default -> json.skipChildren();
          }
        }
      }
      return new Terms(scope, pages, pagesPerDomain, images);
    }
  }

  /** The last run from the same seeds, where it was not closed and these terms widen its own. */
  private Optional<Earlier> narrower(RunTerms terms, String wanted) {
    return sql.first(
            """
            SELECT id, status, pages, unkept, terms, images FROM crawl_runs
            WHERE json_extract(terms, '$.seeds_sha256') = json_extract(?, '$.seeds_sha256')
            ORDER BY id DESC LIMIT 1
            """,
            row ->
                new Earlier(
                    row.getLong(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getString(5),
                    row.getLong(6)),
            wanted)
        .filter(run -> run.status().equals("running") || run.status().equals("finished"))
        .filter(run -> !run.text().equals(wanted) && widens(terms, run));
  }

  private static boolean widens(RunTerms terms, Earlier earlier) {
    try {
      Terms before = earlier.terms();
      return terms.widen(before.scope(), before.pages(), before.pagesPerDomain(), before.images());
    } catch (JacksonException _) {
      return false;
    }
  }

  /** Goes on with a run on wider terms: what its budgets kept it from, it may have now. */
  private void openAgain(RunTerms terms, String text, long now) {
    sql.update(
        """
        UPDATE crawl_runs SET status = 'running', ended_at = NULL, end_reason = NULL, terms = ?,
          max_pages = ?, max_pages_per_domain = ?, max_images = ?, minimum_interval_ms = ?,
          lives = lives + 1,
          resumed_at = max(?, started_at) WHERE id = ?
        """,
        text,
        terms.maxPages(),
        terms.maxPagesPerDomain(),
        terms.maxImages(),
        minimumInterval.toMillis(),
        now,
        id);
    sql.update(
        """
        UPDATE domains SET spent_run_id = NULL, version = version + 1, updated_at = ?1
        WHERE spent_run_id = ?2
          AND id IN (SELECT domain_id FROM jobs WHERE run_id = ?2 AND status = 'spent')
        """,
        now,
        id);
    sql.update(
        "UPDATE domains SET claimable_at ="
            + Readiness.SQL
            + " WHERE claimed_by IS NULL AND id IN"
            + " (SELECT domain_id FROM jobs WHERE run_id = ? AND status = 'spent')",
        id);
    sql.update(
        "UPDATE jobs SET status = 'open', reason = NULL, ended_at = NULL"
            + " WHERE run_id = ? AND status = 'spent'",
        id);
  }

  /** The last run, where it was on these terms and its budget is spent. */
  private @Nullable Long spent(String terms) {
    return sql.first(
            """
            SELECT id FROM crawl_runs WHERE id = (SELECT max(id) FROM crawl_runs)
              AND terms = ? AND status = 'finished' AND end_reason = ?
            """,
            row -> row.getLong(1),
            terms,
            RunEnding.OUT_OF_BUDGET.words())
        .orElse(null);
  }

  private long open(RunTerms terms, String text, long now) {
    long run =
        sql.first(
                """
                INSERT INTO crawl_runs (terms, max_pages, max_pages_per_domain, max_images,
                  minimum_interval_ms, started_at, goes_on_from, refresh)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """,
                row -> row.getLong(1),
                text,
                terms.maxPages(),
                terms.maxPagesPerDomain(),
                terms.maxImages(),
                minimumInterval.toMillis(),
                now,
                terms.isAnew() ? null : spent(text),
                terms.isRefresh() ? 1 : 0)
            .orElseThrow();
    int position = 0;
    for (CrawlUrl seed : terms.seeds()) {
      sql.update(
          "INSERT INTO crawl_run_seeds (run_id, position, url) VALUES (?, ?, ?)",
          run,
          position++,
          seed.toString());
    }
    return run;
  }

  /**
   * Leaves the run or ends it; returns whether it is over. A run fails if all its jobs failed,
   * however it ended.
   *
   * @param idle whether nothing is left to do for any worker
   */
  public boolean end(RunEnding ending, boolean idle, long now) {
    if (!sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND status = 'running'", id)) {
      return true;
    }
    if (!ending.ended()) {
      sql.update("UPDATE crawl_runs SET end_reason = ? WHERE id = ?", ending.words(), id);
      return false;
    }
    if (!idle) {
      return false;
    }
    sql.update(
        """
        UPDATE jobs SET status = 'spent', ended_at = max(?, started_at), reason = ?
        WHERE run_id = ? AND status = 'open'
        """,
        now,
        ending.words(),
        id);
    sql.update(
        """
        UPDATE crawl_runs SET ended_at = max(?, started_at, coalesce(resumed_at, 0)),
          end_reason = ?, status =
          CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE run_id = crawl_runs.id)
            AND NOT EXISTS (SELECT 1 FROM jobs WHERE run_id = crawl_runs.id AND status <> 'failed')
          THEN 'failed' ELSE 'finished' END
        WHERE id = ?
        """,
        now,
        ending.words(),
        id);
    return true;
  }

  /**
   * Draws pages of the budget, or gives them back if negative.
   *
   * @param workers how many draw on it
   * @param others whether another worker holds a domain and may give pages back
   */
  public Portion draw(long pages, int workers, boolean others) {
    return draw("max_pages", "allotted", pages, workers, others);
  }

  /** Draws images of the budget, in the same way. */
  public Portion drawImages(long images, int workers, boolean others) {
    return draw("max_images", "images_allotted", images, workers, others);
  }

  private Portion draw(String most, String allotted, long wanted, int workers, boolean others) {
    long left =
        sql.first(
                "SELECT " + most + " - " + allotted + " FROM crawl_runs WHERE id = ?",
                row -> row.getLong(1),
                id)
            .orElse(Long.MAX_VALUE);
    long granted = wanted < 0 ? wanted : Math.min(wanted, Portion.size(left, workers));
    sql.update(
        "UPDATE crawl_runs SET %1$s = %1$s + ? WHERE id = ?".formatted(allotted), granted, id);
    return new Portion(granted, left - granted <= 0 && granted == 0 && !others);
  }

  /** So many images were kept. */
  void countImages(long kept) {
    sql.update("UPDATE crawl_runs SET images = images + ? WHERE id = ?", kept, id);
  }

  /** No worker is at the run but this one: what others drew and did not settle is free again. */
  void freeAllotted() {
    sql.update(
        "UPDATE crawl_runs SET allotted = max(pages, unkept), images_allotted = images"
            + " WHERE id = ?",
        id);
  }

  private static String digest(List<String> lines) {
    return HexFormat.of().formatHex(Sha256.of(String.join("\n", lines)));
  }

  /** The terms in one text that is the same for the same terms: seeds in any order are. */
  public static String text(RunTerms terms) {
    List<String> seeds =
        terms.seeds().stream().map(CrawlUrl::toString).sorted().distinct().toList();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      if (terms.maxImages() > 0) {
        json.writeNumberProperty("max_images", terms.maxImages());
      }
      json.writeNumberProperty("max_pages", terms.maxPages());
      json.writeNumberProperty("max_pages_per_domain", terms.maxPagesPerDomain());
      json.writeObjectPropertyStart("scope");
      terms.scope().forEach(json::writeStringProperty);
      json.writeEndObject();
      json.writeNumberProperty("seeds", seeds.size());
      json.writeStringProperty("seeds_sha256", digest(seeds));
      json.writeEndObject();
    }
    return text.toString();
  }
}
