package dev.comity.store.report;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.store.Reports.LoggedRequest;
import dev.comity.store.sql.ResultRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One request, as the log has it.
 *
 * @param delay the least time it had to keep from the request before
 * @param location where a page redirects to
 * @param fate what became of the URL: done, failed, retry
 */
public record RequestRecord(
    long id,
    long run,
    String domain,
    String url,
    long attempt,
    String kind,
    String type,
    long token,
    Instant startedAt,
    Instant finishedAt,
    Optional<Duration> firstByte,
    Duration delay,
    OptionalLong status,
    Optional<String> location,
    String outcome,
    String fate,
    boolean isPage,
    boolean isError,
    long bytes,
    Optional<String> error) {

  /** The part of it that every store has. */
  LoggedRequest logged() {
    return new LoggedRequest(
        url,
        Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
        token,
        startedAt,
        status.isPresent() ? OptionalInt.of((int) status.getAsLong()) : OptionalInt.empty());
  }

  static RequestRecord read(ResultRow row) {
    return new RequestRecord(
        row.number("id"),
        row.number("run_id"),
        row.text("domain"),
        row.text("asked_url"),
        row.number("attempt"),
        row.text("kind"),
        row.text("type"),
        row.number("claim_token"),
        row.time("started_at"),
        row.time("finished_at"),
        row.optionalMillis("first_byte_ms"),
        row.millis("delay_ms"),
        row.optionalNumber("status"),
        row.optionalText("location"),
        row.text("outcome"),
        row.text("fate"),
        row.isSet("is_page"),
        row.isSet("is_error"),
        row.number("bytes"),
        row.optionalText("error"));
  }
}
