package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.Optional;

/** One change of a domain's status, or one claim granted. */
public record TransitionRecord(
    Instant at,
    String from,
    String to,
    String door,
    long token,
    Optional<String> reason,
    Optional<String> worker) {

  static TransitionRecord read(ResultRow row) {
    return new TransitionRecord(
        row.time("at"),
        row.text("from_status"),
        row.text("to_status"),
        row.text("door"),
        row.number("token"),
        row.optionalText("reason"),
        row.optionalText("worker"));
  }
}
