package dev.comity.store.order;

import dev.comity.core.schedule.Priority;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Computes how early domains are claimed: after each job, and all of them now and then. */
public final class Priorities {
  /** Domains in one transaction, so that no settlement waits long. */
  public static final int BATCH = 200;

  private static final String FACTS =
      """
      SELECT id, seed_rank, pages_crawled, images_stored
        + (SELECT coalesce(sum(images_stored), 0) FROM credits WHERE domain_id = domains.id),
        frontier_size
        + (SELECT coalesce(sum(discovered), 0) FROM arrivals WHERE domain_id = domains.id),
        total_error_count, last_crawled_at, page_requests FROM domains
      """;

  /** Flags a worker that gave places, beside its other flags. */
  private static final String SEED_ORDER = "seed-order";

  private static final String GAVE_PLACES = " WHERE ' ' || flags || ' ' LIKE '% seed-order %'";

  /** Whether scores are places that were given, so that none is computed. */
  private volatile boolean ordered;

  /** For the intake beside a crawl: it keeps places that a run in seed order gave. */
  public static Priorities asItIs(Statements sql) {
    Priorities priorities = new Priorities();
    priorities.ordered = hasPlaces(sql);
    return priorities;
  }

  /** Whether scores are still the places that a run in seed order gave. */
  public static boolean hasPlaces(Statements sql) {
    return sql.exists("SELECT 1 FROM workers" + GAVE_PLACES);
  }

  /** All scores are computed again. */
  public static void forgetPlaces(Statements sql) {
    sql.update(
        "UPDATE workers SET flags = trim(replace(' ' || flags || ' ', ' seed-order ', ' '))"
            + GAVE_PLACES);
  }

  public boolean isOrdered() {
    return ordered;
  }

  /** A domain and its new score. */
  public record Score(long id, int points) {}

  /** The score of a domain that is seen for the first time, with so many URLs to ask. */
  public int ofNew(long urls) {
    return ordered
        ? 0
        : points(
            Priority.of(
                new Priority.Facts(OptionalLong.empty(), 0, 0, urls, 0, OptionalLong.empty())));
  }

  public void recalculate(Statements sql, long domain, long now) {
    if (ordered) {
      return;
    }
    write(sql, sql.list(FACTS + "WHERE id = ?", row -> score(row, now), domain), now);
  }

  /** The scores of the next domains after this one; an empty list at the end. */
  public List<Score> after(Statements sql, long id, long now) {
    return ordered
        ? List.of()
        : sql.list(FACTS + "WHERE id > ? ORDER BY id LIMIT ?", row -> score(row, now), id, BATCH);
  }

  public void rank(Statements sql, Map<DomainName, Long> ranks, long now) {
    for (Map.Entry<DomainName, Long> one : ranks.entrySet()) {
      Optional<Long> id =
          sql.first(
              "UPDATE domains SET seed_rank = ?, version = version + 1 WHERE domain = ?"
                  + " RETURNING id",
              row -> row.getLong(1),
              Math.min(one.getValue(), Integer.MAX_VALUE),
              one.getKey().name());
      if (id.isPresent()) {
        recalculate(sql, id.get(), now);
      }
    }
  }

  /**
   * The first gets most points, those that are not named fewest. That the scores are places now is
   * noted with the worker: a later run by priority computes them before it claims.
   */
  public void order(Statements sql, String worker, List<DomainName> domains, long now) {
    ordered = true;
    sql.update(
        "UPDATE workers SET flags = trim(flags || ' ' || ?) WHERE id = ?", SEED_ORDER, worker);
    sql.update(
        "UPDATE domains SET priority_score = 0, priority_computed_at = ?, version = version + 1"
            + " WHERE priority_score <> 0",
        now);
    int points = domains.size();
    for (DomainName domain : domains) {
      sql.update(
          "UPDATE domains SET priority_score = ?, priority_computed_at = ?, version = version + 1"
              + " WHERE domain = ?",
          points--,
          now,
          domain.name());
    }
  }

  public static void write(Statements sql, List<Score> scores, long now) {
    for (Score score : scores) {
      sql.update(
          "UPDATE domains SET priority_score = ?, priority_computed_at = ?, version = version + 1"
              + " WHERE id = ?",
          score.points(),
          now,
          score.id());
    }
  }

  /** The column holds no more, whatever weights are set. */
  private static int points(double exact) {
    return Math.clamp(Math.round(exact), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private Score score(ResultRow row, long now) {
    OptionalLong crawled = row.optionalNumber(7);
    OptionalLong days =
        crawled.isPresent()
            ? OptionalLong.of(Duration.ofMillis(Math.max(0, now - crawled.getAsLong())).toDays())
            : OptionalLong.empty();
    long requests = row.getLong(8);
    double errorRate = requests == 0 ? 0 : (double) row.getLong(6) / requests;
    Priority.Facts facts =
        new Priority.Facts(
            row.optionalNumber(2), row.getLong(3), row.getLong(4), row.getLong(5), errorRate, days);
    return new Score(row.getLong(1), points(Priority.of(facts)));
  }
}
