package dev.comity.store.report;

import dev.comity.core.schedule.ChangeRate;
import dev.comity.core.schedule.DueReason;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of one URL.
 *
 * @param state where it stands: queued, done, failed, denied, set aside, suppressed or skipped
 * @param outcome what its last request came to
 * @param detail what the log says beside that
 * @param wishes what its site said about its use, as a JSON array
 * @param refusal the wish that refuses it
 * @param source the source that it is of
 */
public record UrlRecord(
    String state,
    Optional<String> outcome,
    OptionalLong status,
    Optional<Instant> askedAt,
    Optional<String> detail,
    Optional<String> wishes,
    Optional<RefusalRecord> refusal,
    NextVisit next,
    Optional<UrlSource> source) {

  static final String QUERY =
      """
      SELECT CASE f.state WHEN 0 THEN 'queued' WHEN 1 THEN 'done' WHEN 2 THEN 'failed'
          WHEN 3 THEN 'denied' WHEN 4 THEN 'set aside' WHEN 5 THEN 'suppressed' ELSE 'skipped' END
          AS word,
        f.due_at, f.visited_at, f.changes, f.missing_since, f.due_why, f.hint,
        s.name AS source, s.min_scrape_interval, s.last_start_at,
        l.outcome, l.status, l.started_at, l.error, r.purpose, r.origin, r.words, r.at,
        (SELECT p.wishes FROM pages p WHERE p.url_id = f.id ORDER BY p.id DESC LIMIT 1) AS wishes
      FROM domain_frontier f
      ${authority}
      LEFT JOIN crawl_log l ON l.id = (SELECT max(m.id) FROM crawl_log m
        WHERE m.domain_id = f.domain_id AND m.url_id = f.id)
      LEFT JOIN refusals r ON r.url_id = f.id
      LEFT JOIN sources s ON s.id = f.source_id
      WHERE f.domain_id = ?
      """;

  /**
   * A wish that refuses a URL.
   *
   * @param origin where it was read: robots.txt, tdmrep.json, header, page
   * @param words as the site wrote it
   */
  public record RefusalRecord(String purpose, String origin, String words, Instant at) {}

  /**
   * When it is looked at again.
   *
   * @param due empty where it has no date
   * @param visited when it was visited last
   * @param missingSince when it was first missing, where it is
   * @param daysBetweenChanges by estimate, once it was visited twice
   */
  public record NextVisit(
      Optional<Instant> due,
      DueReason reason,
      Optional<Instant> visited,
      Optional<Instant> missingSince,
      Optional<Double> daysBetweenChanges) {
    private static NextVisit read(ResultRow row) {
      OptionalLong changes = row.optionalNumber("changes");
      return new NextVisit(
          row.optionalTime("due_at"),
          DueReason.of((int) row.optionalNumber("due_why").orElse(0)),
          seconds(row.optionalNumber("visited_at")),
          seconds(row.optionalNumber("missing_since")),
          changes.isPresent()
              ? Optional.of(1 / ChangeRate.perDay(VisitColumns.history(changes)))
              : Optional.empty());
    }

    private static Optional<Instant> seconds(OptionalLong at) {
      return at.isPresent() ? Optional.of(Instant.ofEpochSecond(at.getAsLong())) : Optional.empty();
    }
  }

  /**
   * The source of a URL.
   *
   * @param interval its own interval; empty for the global one, zero for none
   */
  public record UrlSource(String name, Optional<Duration> interval, Optional<Instant> lastStart) {}

  static UrlRecord read(ResultRow row) {
    return new UrlRecord(
        row.text("word"),
        row.optionalText("outcome"),
        row.optionalNumber("status"),
        row.optionalTime("started_at"),
        row.optionalText("error"),
        row.optionalText("wishes"),
        row.optionalText("purpose")
            .map(
                purpose ->
                    new RefusalRecord(
                        purpose, row.text("origin"), row.text("words"), row.time("at"))),
        NextVisit.read(row),
        row.optionalText("source")
            .map(
                name ->
                    new UrlSource(
                        name,
                        SourceRows.interval(row, "min_scrape_interval"),
                        row.optionalTime("last_start_at"))));
  }
}
