package dev.comity.store.sqlite;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.store.KeptStore;
import dev.comity.store.source.Origins;
import dev.comity.store.source.SourceRows;
import dev.comity.store.sql.SeedAddresses;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The half of a store that needs no claim: single values, priorities and addresses. */
abstract class SqliteLookups implements KeptStore {
  final SqliteParts parts;

  SqliteLookups(SqliteParts parts) {
    this.parts = parts;
  }

  @Override
  public QueueCheckpoints checkpoints() {
    return new SqliteCheckpoints(parts);
  }

  @Override
  public long setAside() {
    return parts.lookups.urlsSetAside(parts.runs.id());
  }

  @Override
  public void recalculatePriorities(Instant now) {
    parts.order.recalculate(now);
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    parts.order.rank(ranks, now);
  }

  @Override
  public void order(List<DomainName> list, Instant now) {
    parts.order.order(list, now);
  }

  @Override
  public void keepOrigins(Map<DomainName, String> origins) {
    if (!origins.isEmpty()) {
      parts.connections.writer.run(() -> new Origins(parts.connections.writing).keep(origins));
    }
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return seeds.isEmpty()
        ? List.of()
        : parts.connections.writer.write(
            () ->
                new SeedAddresses(parts.connections.writing)
                    .keep(seeds, parts.settings.grouping()::domainOf));
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return parts.lookups.state(domain);
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return parts.lookups.templates(domain, parts.held);
  }

  @Override
  public void given(Collection<DomainName> domains, Consumer<GivenDomain> each) {
    parts.lookups.given(domains, each);
  }

  @Override
  public List<String> damaged(int limit) {
    return parts.lookups.damaged(parts.runs.id(), limit);
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return parts.lookups.copy(Kind.ROBOTS, authority);
  }

  @Override
  public Optional<RobotsCopy> tdmRep(Authority authority) {
    return parts.lookups.copy(Kind.TDMREP, authority);
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return parts.lookups.lastStart(domain);
  }

  @Override
  public SourcePace pace(String source) {
    return parts.connections.reader.read(
        sql -> new SourceRows(sql, parts.sources.global()).pace(source));
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    return parts.connections.writer.write(() -> parts.sources.takeTurn(source, now));
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    AddAnswer answer = parts.connections.writer.write(() -> parts.offers.offer(url, now));
    parts.held.entered(parts.urls.unchecked(List.of(url)));
    return answer;
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return parts.lookups.lastStartOfSource(source);
  }
}
