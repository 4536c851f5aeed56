package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A URL that was not fetched, or brought nothing that is kept.
 *
 * @param id grows in the order of its feed
 * @param run the run that asked for it; empty where it was never asked
 * @param state queued, deferred, failed, denied, set_aside, suppressed or skipped
 * @param reason the outcome of the request, or the rule that kept it from being asked
 * @param detail more about the outcome
 */
public record UnfetchedRecord(
    long id,
    OptionalLong run,
    String domain,
    String url,
    String state,
    String reason,
    OptionalLong status,
    Optional<String> detail,
    long attempt,
    long depth,
    Optional<String> referrer,
    Optional<Instant> startedAt) {

  static UnfetchedRecord asked(ResultRow row) {
    return read(row, row.text("outcome"));
  }

  static UnfetchedRecord unasked(ResultRow row) {
    return read(
        row,
        switch (row.text("state")) {
          case "denied" -> row.optionalText("error").isPresent() ? "wish" : "robots_txt";
          case "set_aside" -> "crashes";
          case "suppressed" -> "trap";
          case "queued", "deferred" -> "queued";
          case "failed" -> "not_asked";
          default -> "file_type";
        });
  }

  private static UnfetchedRecord read(ResultRow row, String reason) {
    return new UnfetchedRecord(
        row.number("id"),
        row.optionalNumber("run_id"),
        row.text("domain"),
        row.text("url"),
        row.text("state"),
        reason,
        row.optionalNumber("status"),
        row.optionalText("error"),
        row.number("attempt"),
        row.number("depth"),
        row.optionalText("referrer"),
        row.optionalTime("started_at"));
  }
}
