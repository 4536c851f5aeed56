package dev.comity.core.memory;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The half of a store that needs no claim: single values, priorities and addresses. */
abstract class MemoryLookups implements CrawlStore {
  final Tables tables;

  MemoryLookups(Tables tables) {
    this.tables = tables;
  }

  @Override
  public boolean keepsPages() {
    return false;
  }

  @Override
  public void recalculatePriorities(Instant now) {
    synchronized (tables) {
      tables.domains.all().forEach(row -> row.recalculate(now));
    }
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    synchronized (tables) {
      ranks.forEach(
          (domain, rank) -> tables.domains.find(domain).ifPresent(row -> row.rank(rank, now)));
    }
  }

  @Override
  public void order(List<DomainName> inOrder, Instant now) {
    synchronized (tables) {
      tables.domains.order(inOrder);
    }
  }

  /** How many pages the present run has settled. */
  public long pagesOfRun() {
    synchronized (tables) {
      return tables.run.pages();
    }
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    synchronized (tables) {
      return seeds.stream()
          .filter(seed -> tables.domains.has(tables.naming.apply(seed.authority().robotsTxt())))
          .map(seed -> tables.addresses.merge(seed.authority(), seed, MemoryLookups::kept))
          .toList();
    }
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    synchronized (tables) {
      tables.domains.find(domain).ifPresent(row -> row.takeBack(token, change));
    }
  }

  private static SeedAddress kept(SeedAddress known, SeedAddress seed) {
    return new SeedAddress(known.authority(), known.kind(), known.named() || seed.named());
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    synchronized (tables) {
      return tables.domains.find(domain).map(row -> row.state);
    }
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    synchronized (tables) {
      return tables
          .domains
          .find(domain)
          .map(row -> List.copyOf(row.templates.values()))
          .orElseGet(List::of);
    }
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    synchronized (tables) {
      return Optional.ofNullable(tables.robots.get(authority));
    }
  }

  @Override
  public Optional<RobotsCopy> tdmRep(Authority authority) {
    synchronized (tables) {
      return Optional.ofNullable(tables.tdmRep.get(authority));
    }
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    synchronized (tables) {
      return tables
          .domains
          .find(domain)
          .map(row -> row.lastStart)
          .filter(at -> !at.equals(Instant.MIN));
    }
  }

  @Override
  public SourcePace pace(String source) {
    synchronized (tables) {
      return tables.sources.pace(source);
    }
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    synchronized (tables) {
      return tables.sources.takeTurn(source, now);
    }
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    synchronized (tables) {
      return tables.sources.offer(url, now);
    }
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    synchronized (tables) {
      return tables.sources.lastStart(source);
    }
  }
}
