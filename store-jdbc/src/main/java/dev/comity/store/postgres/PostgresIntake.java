package dev.comity.store.postgres;

import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What a crawl takes in without a claim: seeds, sources, ranks, and the domains of its run. */
abstract class PostgresIntake extends PostgresLookups {
  final PostgresParts parts;

  PostgresIntake(PostgresParts parts) {
    super(parts.reading, parts.runs);
    this.parts = parts;
  }

  @Override
  public QueueCheckpoints checkpoints() {
    return new PostgresCheckpoints(parts);
  }

  @Override
  public void confine(Collection<DomainName> domains) {
    parts.claiming(
        tx -> {
          runs.confine(tx, domains);
          return true;
        });
  }

  @Override
  public int again(Collection<DomainName> domains, boolean whole, Instant now) {
    return parts.claiming(tx -> parts.intake.again(tx, domains, whole));
  }

  @Override
  public int askForFiles(Collection<DomainName> sources, Instant now) {
    return parts.claiming(tx -> parts.intake.files(tx, runs.id(), sources));
  }

  @Override
  public void describe(Map<CrawlUrl, String> captions, Instant now) {
    parts.claiming(
        tx -> {
          parts.images.describe(tx, runs.id(), captions);
          return true;
        });
  }

  @Override
  public void keepOrigins(Map<DomainName, String> origins) {
    parts.intake.keepOrigins(origins);
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    return parts.worker.rejoining(() -> parts.intake.add(urls));
  }

  @Override
  public SourcePace pace(String source) {
    return reading.use(tx -> parts.sources.of(tx, source, parts.settings.clock().instant()));
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    return parts.claiming(tx -> parts.sources.takeTurn(tx, source, now));
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    return parts.worker.rejoining(() -> parts.intake.offer(url));
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return parts.worker.rejoining(() -> parts.intake.takeOutside(about, inScope));
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    parts.intake.rank(ranks);
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return parts.intake.keepAddresses(seeds);
  }

  @Override
  public void recalculatePriorities(Instant now) {
    parts.intake.recalculate(now);
  }

  @Override
  public void order(List<DomainName> domains, Instant now) {
    parts.intake.order(parts.worker.id(), domains);
  }
}
