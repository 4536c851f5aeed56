package dev.comity.store.queue;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.queue.QueueCheckpoints.OutsideQueue;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows and columns about queues outside of the database. Words that all databases have. */
public record QueueRows(Statements sql) {

  /** Where the queues are; empty while they are in the database. */
  public Optional<QueueHome> home() {
    return sql.first(
        "SELECT address, namespace FROM queue_home WHERE id = 1",
        row -> new QueueHome(row.getString(1), row.getString(2)));
  }

  /** Sets where the queues are, and says so in the audit. */
  public void moveTo(Optional<QueueHome> home, long now) {
    sql.update("DELETE FROM queue_home WHERE id = 1");
    home.ifPresent(
        there ->
            sql.update(
                "INSERT INTO queue_home (id, address, namespace, since) VALUES (1, ?, ?, ?)",
                there.address(),
                there.namespace(),
                now));
    audit(
        "frontier moved",
        "frontier",
        home.map(there -> "its queues are in Redis at " + there.address())
            .orElse("its queues are in the database"),
        now);
  }

  /** The last checkpoint of a domain. */
  public Optional<QueueCheckpoint> last(long domain) {
    record Columns(String id, long size) {}
    return sql.first(
            "SELECT frontier_checkpoint_id, frontier_elsewhere FROM domains"
                + " WHERE id = ? AND frontier_checkpoint_id IS NOT NULL",
            row -> new Columns(row.getString(1), row.getLong(2)),
            domain)
        .flatMap(columns -> QueueCheckpoint.parse(columns.id(), columns.size()));
  }

  /** Writes a checkpoint of a domain that the caller holds. */
  public void write(long domain, QueueCheckpoint checkpoint, long now) {
    sql.update(
        """
        UPDATE domains SET frontier_checkpoint_id = ?, frontier_elsewhere = ?,
          pages_discovered = pages_discovered + ?, urls_over_cap = urls_over_cap + ?,
          frontier_updated_at = ?, version = version + 1 WHERE id = ?
        """,
        checkpoint.id(),
        checkpoint.size(),
        checkpoint.overCap(),
        checkpoint.overCap(),
        now,
        domain);
  }

  /** Every queue outside of the database. */
  public List<OutsideQueue> queues() {
    List<OutsideQueue> queues = new ArrayList<>();
    sql.each(
        "SELECT domain, claim_token, frontier_checkpoint_id, frontier_elsewhere FROM domains"
            + " WHERE frontier_checkpoint_id IS NOT NULL ORDER BY id",
        row ->
            QueueCheckpoint.parse(row.getString(3), row.getLong(4))
                .map(
                    last ->
                        new OutsideQueue(new DomainName(row.getString(1)), row.getLong(2), last))
                .ifPresent(queues::add));
    return queues;
  }

  /** A domain has no queue outside any more. */
  public void forget(DomainName domain) {
    sql.update(
        "UPDATE domains SET frontier_checkpoint_id = NULL, frontier_elsewhere = 0,"
            + " version = version + 1 WHERE domain = ?",
        domain.name());
  }

  /** Deletes a URL that waits and was never asked; returns whether it was there. */
  public boolean delete(long url) {
    return sql.update("DELETE FROM domain_frontier WHERE id = ? AND state = 0 AND asked = 0", url)
        == 1;
  }

  /** So many URLs of a domain are gone from its rows. */
  public void deleted(long domain, int urls) {
    sql.update(
        "UPDATE domains SET frontier_size = frontier_size - ?, pages_discovered = pages_discovered"
            + " - ?, version = version + 1 WHERE id = ?",
        urls,
        urls,
        domain);
  }

  /** Keeps why something was done. */
  public void audit(String action, String subject, String reason, long now) {
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, reason) VALUES (?, 'comity', ?, ?, ?)",
        now,
        action,
        subject,
        reason);
  }
}
