package dev.comity.testkit.engine.support;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A store with someone at the door: before and after every call something else may happen first.
 * Time passes, a claim is lost, the store breaks.
 */
public final class DoorwayStore implements CrawlStore, Frontier {
  /** What is being called. */
  public enum Door {
    ADD,
    CLAIM,
    NEXT_CLAIMABLE,
    RENEW,
    ROBOTS,
    NEXT,
    SETTLE,
    RECORD,
    RELEASE,
    TAKE_BACK
  }

  /** Who stands there. */
  public interface Keeper {
    default void before(Door door, Optional<Claim> claim) {}

    default void after(Door door, Optional<Claim> claim) {}

    /** These were claimed just now. */
    default void granted(List<Claim> claims) {}

    /** This came of renewing those just now. */
    default void renewed(Collection<Claim> claims, Renewal renewal) {}

    /** The store is to wait no longer for what keeps it from writing. */
    default void hurried() {}
  }

  private final CrawlStore inner;
  private final Keeper keeper;

  public DoorwayStore(CrawlStore inner, Keeper keeper) {
    this.inner = inner;
    this.keeper = keeper;
  }

  private interface Call<T> {
    T make();
  }

  private <T> T through(Door door, Optional<Claim> claim, Call<T> call) {
    keeper.before(door, claim);
    T answer = call.make();
    keeper.after(door, claim);
    return answer;
  }

  private void through(Door door, Optional<Claim> claim, Runnable call) {
    keeper.before(door, claim);
    call.run();
    keeper.after(door, claim);
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return inner.begin(terms, now);
  }

  @Override
  public void end(RunEnding ending, Instant now) {
    inner.end(ending, now);
  }

  @Override
  public void hurry() {
    keeper.hurried();
    inner.hurry();
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    return through(
        Door.RENEW,
        Optional.empty(),
        () -> {
          Renewal renewal = inner.renew(claims, now);
          keeper.renewed(claims, renewal);
          return renewal;
        });
  }

  @Override
  public void recalculatePriorities(Instant now) {
    inner.recalculatePriorities(now);
  }

  @Override
  public void rank(Map<DomainName, Long> ranks, Instant now) {
    inner.rank(ranks, now);
  }

  @Override
  public void order(List<DomainName> domains, Instant now) {
    inner.order(domains, now);
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return inner.templates(domain);
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return through(Door.ROBOTS, Optional.empty(), () -> inner.robots(authority));
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return inner.lastStart(domain);
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return inner.lastStartOfSource(source);
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    return through(Door.ADD, Optional.empty(), () -> inner.add(urls, now));
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> urls) {
    inner.keepOutside(claim, urls);
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return inner.takeOutside(about, inScope, now);
  }

  @Override
  public List<Claim> claim(int most, Instant now) {
    return through(
        Door.CLAIM,
        Optional.empty(),
        () -> {
          List<Claim> claims = inner.claim(most, now);
          keeper.granted(claims);
          return claims;
        });
  }

  @Override
  public Optional<Claim> borrow(DomainName domain, Instant now) {
    return through(
        Door.CLAIM,
        Optional.empty(),
        () -> {
          Optional<Claim> claim = inner.borrow(domain, now);
          keeper.granted(claim.stream().toList());
          return claim;
        });
  }

  @Override
  public Optional<Instant> nextClaimable(Instant now) {
    return through(Door.NEXT_CLAIMABLE, Optional.empty(), () -> inner.nextClaimable(now));
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public Next next(Claim claim, Instant now) {
    return through(Door.NEXT, Optional.of(claim), () -> inner.frontier().next(claim, now));
  }

  @Override
  public boolean isEmpty(Claim claim) {
    return inner.frontier().isEmpty(claim);
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    return through(Door.SETTLE, Optional.of(claim), () -> inner.settle(claim, settlements));
  }

  @Override
  public Written record(Claim claim, Note note) {
    return through(Door.RECORD, Optional.of(claim), () -> inner.record(claim, note));
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    through(Door.RELEASE, Optional.of(claim), () -> inner.release(claim, state, ending, now));
  }

  @Override
  public void takeBack(DomainName domain, UnaryOperator<DomainState> change) {
    through(Door.TAKE_BACK, Optional.empty(), () -> inner.takeBack(domain, change));
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return inner.keepAddresses(seeds);
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return inner.state(domain);
  }
}
