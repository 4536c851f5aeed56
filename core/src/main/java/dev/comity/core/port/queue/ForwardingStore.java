package dev.comity.core.port.queue;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A store that hands every call on to another one; a subclass overrides those it changes. */
public class ForwardingStore implements CrawlStore {
  protected final CrawlStore inner;

  public ForwardingStore(CrawlStore inner) {
    this.inner = inner;
  }

  /** The store behind it. */
  public CrawlStore inner() {
    return inner;
  }

  @Override
  public Run begin(RunTerms terms, Instant now) {
    return inner.begin(terms, now);
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return inner.end(ending, now);
  }

  @Override
  public Instant now() {
    return inner.now();
  }

  @Override
  public Portion drawImages(long images) {
    return inner.drawImages(images);
  }

  @Override
  public Portion draw(long pages) {
    return inner.draw(pages);
  }

  @Override
  public boolean keepsPages() {
    return inner.keepsPages();
  }

  @Override
  public void hurry() {
    inner.hurry();
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    return inner.add(urls, now);
  }

  @Override
  public void keepOutside(Claim claim, List<QueuedUrl> urls) {
    inner.keepOutside(claim, urls);
  }

  @Override
  public void hint(Claim claim, List<PageHint> hints) {
    inner.hint(claim, hints);
  }

  @Override
  public int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now) {
    return inner.takeOutside(about, inScope, now);
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    return inner.claim(most, now, wanted);
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    return inner.borrow(domain, now);
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    return inner.outlook(now, wanted);
  }

  @Override
  public OperatorTerms terms(Claim claim) {
    return inner.terms(claim);
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    return inner.renew(claims, now);
  }

  @Override
  public Frontier frontier() {
    return inner.frontier();
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    return inner.settle(claim, settlements);
  }

  @Override
  public Written record(Claim claim, Note note) {
    return inner.record(claim, note);
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    inner.release(claim, state, ending, now);
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    inner.takeBack(domain, token, change);
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
  public void describe(Map<CrawlUrl, String> captions, Instant now) {
    inner.describe(captions, now);
  }

  @Override
  public void keepOrigins(Map<DomainName, String> origins) {
    inner.keepOrigins(origins);
  }

  @Override
  public List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return inner.keepAddresses(seeds);
  }

  @Override
  public Optional<DomainState> state(DomainName domain) {
    return inner.state(domain);
  }

  @Override
  public List<String> damaged(int limit) {
    return inner.damaged(limit);
  }

  @Override
  public List<TemplateStats> templates(DomainName domain) {
    return inner.templates(domain);
  }

  @Override
  public Optional<RobotsCopy> tdmRep(Authority authority) {
    return inner.tdmRep(authority);
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return inner.robots(authority);
  }

  @Override
  public Optional<Instant> lastStart(DomainName domain) {
    return inner.lastStart(domain);
  }

  @Override
  public SourcePace pace(String source) {
    return inner.pace(source);
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    return inner.takeTurn(source, now);
  }

  @Override
  public AddAnswer offer(QueuedUrl url, Instant now) {
    return inner.offer(url, now);
  }

  @Override
  public Optional<Instant> lastStartOfSource(String source) {
    return inner.lastStartOfSource(source);
  }
}
