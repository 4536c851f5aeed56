package dev.comity.store.fleet;

import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A worker, as it has registered.
 *
 * @param id its name and a fresh number at every start
 * @param version of its program
 * @param flags those that its environment has switched off; empty if none is
 * @param host the machine it is on
 * @param run the run it works on
 * @param state up, draining, ended or lost
 * @param claims domains it holds
 * @param firstExpiry when the first of its claims ends, unless it is renewed
 */
public record WorkerRecord(
    String id,
    String name,
    String version,
    String flags,
    String host,
    OptionalLong run,
    String state,
    Instant startedAt,
    Instant lastSeenAt,
    Optional<Instant> endedAt,
    long claims,
    Optional<Instant> firstExpiry) {

  static final String QUERY =
      """
      SELECT w.*, ${worker columns},
        (SELECT count(*) FROM domains d WHERE d.claimed_by = w.id) AS claims,
        (SELECT min(d.claim_expires_at) FROM domains d WHERE d.claimed_by = w.id) AS first_expiry
      FROM workers w
      """;

  static WorkerRecord read(ResultRow row) {
    return new WorkerRecord(
        row.text("id"),
        row.text("name"),
        row.text("version"),
        row.text("flags"),
        row.text("its_host"),
        row.optionalNumber("its_run"),
        row.text("its_state"),
        row.time("started_at"),
        row.time("last_seen_at"),
        row.optionalTime("ended_at"),
        row.number("claims"),
        row.optionalTime("first_expiry"));
  }
}
