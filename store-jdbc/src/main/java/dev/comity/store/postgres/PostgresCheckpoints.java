package dev.comity.store.postgres;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreUnusable;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.queue.QueueRows;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** What a database on a server keeps of queues outside of it. */
record PostgresCheckpoints(PostgresParts parts) implements QueueCheckpoints {

  @Override
  public Optional<QueueHome> home() {
    return parts.reading.read(sql -> new QueueRows(sql).home());
  }

  @Override
  public void requireAlone() {
    parts.claiming(
        tx -> {
          requireAlone(tx);
          return true;
        });
  }

  @Override
  public void moveTo(Optional<QueueHome> home) {
    parts.claiming(
        tx -> {
          requireAlone(tx);
          rows(tx).moveTo(home, tx.now());
          return true;
        });
  }

  private void requireAlone(PostgresSession tx) {
    parts.sweep.giveUpLost(tx);
    long others = WorkerRows.live(tx) - 1;
    if (others > 0) {
      throw new StoreUnusable(
          "the queues cannot get another place while other workers are on, and there are %d: end them with comity drain WORKER"
              .formatted(others));
    }
  }

  @Override
  public Optional<QueueCheckpoint> last(Claim claim) {
    HeldDomain domain = parts.held.of(claim);
    return parts.reading.read(sql -> new QueueRows(sql).last(domain.id));
  }

  @Override
  public void keep(Claim claim, QueueCheckpoint checkpoint) {
    parts.held.of(claim).keep(checkpoint);
  }

  @Override
  public int readAgain(Claim claim, QueueCheckpoint fresh, String reason) {
    HeldDomain domain = parts.held.of(claim);
    domain.keep(fresh);
    int pages =
        write(
            domain,
            tx -> {
              int known = new Requeuing(tx.sql, domain.id).requeue(Requeuing.Which.LINKING);
              rows(tx)
                  .audit(
                      "frontier lost",
                      domain.name.name(),
                      "%s; %d known pages are asked for their links".formatted(reason, known),
                      tx.now());
              return known;
            });
    domain.entered(Integer.MIN_VALUE);
    return pages;
  }

  /** Writes under a claim, and the checkpoint that is to be kept with it. */
  private int write(HeldDomain domain, ToIntFunction<PostgresSession> work) {
    Optional<QueueCheckpoint> checkpoint = domain.checkpoint();
    try {
      int done =
          parts.claiming(
              tx -> {
                if (!ClaimGrants.isHeld(tx, domain, parts.worker.id())) {
                  throw new ClaimLost(domain.name, domain.token);
                }
                checkpoint.ifPresent(last -> rows(tx).write(domain.id, last, tx.now()));
                return work.applyAsInt(tx);
              });
      checkpoint.ifPresent(domain::kept);
      return done;
    } catch (ClaimLost lost) {
      parts.held.drop(domain);
      throw lost;
    }
  }

  @Override
  public List<OutsideQueue> queues() {
    return parts.reading.read(sql -> new QueueRows(sql).queues());
  }

  @Override
  public void forget(DomainName domain, boolean lost) {
    parts.claiming(
        tx -> {
          long id =
              tx.sql
                  .first(
                      "SELECT id FROM domains WHERE domain = ? FOR NO KEY UPDATE",
                      row -> row.getLong(1),
                      domain.name())
                  .orElseThrow();
          rows(tx).forget(domain);
          if (lost) {
            parts.intake.readLinks(tx, domain);
            rows(tx)
                .audit("frontier lost", domain.name(), "it was lost before it was moved", tx.now());
          }
          if (tx.sql.exists("SELECT 1 FROM domains WHERE id = ? AND claimed_by IS NULL", id)) {
            DomainReadiness.set(tx, List.of(id));
          }
          return true;
        });
  }

  @Override
  public void handOver(Claim claim, List<QueuedUrl> urls, QueueCheckpoint checkpoint) {
    HeldDomain domain = parts.held.of(claim);
    domain.keep(checkpoint);
    List<Long> ids =
        urls.stream().flatMap(url -> domain.inFlight(url).stream()).map(Waiting::id).toList();
    write(
        domain,
        tx -> {
          int gone =
              tx.sql.update(
                  "DELETE FROM domain_frontier WHERE domain_id = ? AND id = ANY (?) AND state = 0"
                      + " AND asked = 0",
                  domain.id,
                  tx.longs(ids));
          rows(tx).deleted(domain.id, gone);
          tx.sql.update("DELETE FROM in_flight WHERE url_id = ANY (?)", tx.longs(ids));
          return gone;
        });
    synchronized (domain) {
      urls.forEach(url -> domain.inFlight.remove(url.url()));
    }
  }

  private static QueueRows rows(PostgresSession tx) {
    return new QueueRows(tx.sql);
  }
}
