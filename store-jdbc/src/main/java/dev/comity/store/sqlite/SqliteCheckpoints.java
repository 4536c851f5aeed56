package dev.comity.store.sqlite;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.ReadAhead;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.queue.QueueRows;
import dev.comity.store.sql.InFlightRows;
import java.util.List;
import java.util.Optional;

/** What a data directory keeps of queues outside of it. */
record SqliteCheckpoints(SqliteParts parts) implements QueueCheckpoints {

  @Override
  public Optional<QueueHome> home() {
    return parts.connections.writer.write(() -> rows().home());
  }

  @Override
  public void moveTo(Optional<QueueHome> home) {
    parts.connections.writer.run(() -> rows().moveTo(home, now()));
  }

  @Override
  public Optional<QueueCheckpoint> last(Claim claim) {
    Held domain = parts.held.of(claim);
    return parts.connections.writer.write(() -> rows().last(domain.id));
  }

  @Override
  public void keep(Claim claim, QueueCheckpoint checkpoint) {
    parts.held.of(claim).keep(checkpoint);
  }

  @Override
  public int readAgain(Claim claim, QueueCheckpoint fresh, String reason) {
    Held domain = parts.held.of(claim);
    domain.keep(fresh);
    synchronized (domain.writing) {
      int pages =
          parts.held.write(
              domain,
              () -> {
                domain.requireClaim(parts.connections.writing);
                int known =
                    new Requeuing(parts.connections.writing, domain.id)
                        .requeue(Requeuing.Which.LINKING);
                rows()
                    .audit(
                        "frontier lost",
                        domain.name.name(),
                        "%s; %d known pages are asked for their links".formatted(reason, known),
                        now());
                parts.urls.forget(domain.name);
                return known;
              });
      parts.held.requeued(domain);
      return pages;
    }
  }

  @Override
  public List<OutsideQueue> queues() {
    return parts.connections.writer.write(() -> rows().queues());
  }

  @Override
  public void forget(DomainName domain, boolean lost) {
    parts.connections.writer.run(
        () -> {
          rows().forget(domain);
          if (lost) {
            parts.runControl.readLinksAgain(domain, now());
            rows().audit("frontier lost", domain.name(), "it was lost before it was moved", now());
          }
        });
  }

  @Override
  public void handOver(Claim claim, List<QueuedUrl> urls, QueueCheckpoint checkpoint) {
    Held domain = parts.held.of(claim);
    domain.keep(checkpoint);
    synchronized (domain.writing) {
      parts.held.write(
          domain,
          () -> {
            domain.requireClaim(parts.connections.writing);
            int gone = 0;
            for (QueuedUrl url : urls) {
              Optional<ReadAhead.Waiting> row = domain.inFlight(url);
              gone += row.isPresent() && rows().delete(row.get().id()) ? 1 : 0;
            }
            rows().deleted(domain.id, gone);
            new InFlightRows(parts.connections.writing)
                .delete(
                    urls.stream()
                        .flatMap(url -> domain.inFlight(url).stream())
                        .map(ReadAhead.Waiting::id)
                        .toList());
            // Numbers of deleted rows are given again.
            parts.urls.overtaken();
            return gone;
          });
      parts.held.handedOver(domain, urls);
    }
  }

  private QueueRows rows() {
    return new QueueRows(parts.connections.writing);
  }

  private long now() {
    return parts.settings.clock().instant().toEpochMilli();
  }
}
