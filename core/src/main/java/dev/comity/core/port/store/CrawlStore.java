package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
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
 * Domains, claims and everything that must survive. Safe to use from many threads; what returns
 * normally is durable.
 */
public interface CrawlStore {

  /**
   * Joins a run: the unfinished one on the same terms; or the last one from the same seeds, over or
   * not, whose terms these widen, so that domains whose pages were spent may be asked again; or a
   * new one. An unfinished run on other terms is closed. It must be called before anything is
   * claimed.
   */
  Run begin(RunTerms terms, Instant now);

  /** Leaves the run. */
  void end(RunEnding ending, Instant now);

  /**
   * Waits no longer for what keeps it from writing, a full disk say. From now on a write that
   * cannot be done fails at once.
   */
  default void hurry() {}

  /**
   * Adds URLs to their domains' frontiers, each once. A domain that had nothing left becomes
   * pending. What {@link QueuedUrl#isSkipped is skipped} is known from then on and finished.
   *
   * @return how many entered: neither what was known before nor what is skipped or a domain has no
   *     room for, nor links to yet another sub-domain of a name that has too many
   */
  int add(List<QueuedUrl> urls, Instant now);

  /**
   * Keeps links of a claimed domain to itself that depth or patterns leave out, each once and as
   * many as a domain may have unfinished: wider terms may want them. They are in no frontier and
   * not counted. They are durable when the claim's next settlement is.
   */
  void keepOutside(Claim claim, List<QueuedUrl> urls);

  /**
   * Adds to the frontiers what was kept outside of them and is in scope now.
   *
   * @param about which domains the run is about
   * @return how many entered
   */
  int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now);

  /**
   * Claims up to that many domains that have work and may be asked. Before that, claims whose lease
   * has run out are ended, and domains whose cooldown has are opened.
   *
   * <p>Healthy active domains come first, then pending ones, then those that recover from a
   * cooldown; among these the higher priority, then the one not crawled for longest. Every fourth
   * claim is the best pending domain, so that nothing starves. A domain of which the present run
   * has had its share is left out.
   */
  List<Claim> claim(int most, Instant now);

  /**
   * Claims this one domain for a request on another's behalf, be it of the present run or not, and
   * makes it known where it is not. Its job is not begun by that, and is as before when it is given
   * back as {@link Ending.Borrowed}.
   *
   * @return nothing if it is held or closed, or a sub-domain too many
   */
  Optional<Claim> borrow(DomainName domain, Instant now);

  /**
   * When the next domain may be claimed that may not be yet. The end of a cooldown does not count:
   * a run does not wait for one.
   */
  Optional<Instant> nextClaimable(Instant now);

  /** Makes leases last longer. */
  Renewal renew(Collection<Claim> claims, Instant now);

  /** The URLs of claimed domains. */
  Frontier frontier();

  /**
   * Writes what became of a URL that was taken from the frontier. Said again, it changes nothing.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written settle(Claim claim, Settlement settlement);

  /**
   * Writes what a request left behind that settled no URL.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written record(Claim claim, Note note);

  /**
   * Gives the domain back with its last state. What was in flight returns to the frontier. Where a
   * URL arrived meanwhile, an exhausted domain is not: it can be claimed again.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  void release(Claim claim, DomainState state, Ending ending, Instant now);

  /**
   * Opens a domain again that was closed by what turned out to be our own outage: the change is
   * applied to its state, and unless someone holds it, it can be claimed as before.
   */
  void takeBack(DomainName domain, UnaryOperator<DomainState> change);

  /**
   * Computes every domain's priority anew, without being in anybody's way. Interrupted, it leaves
   * the rest for the next time.
   */
  void recalculatePriorities(Instant now);

  /**
   * Says how well known domains are: the place of each in a list of sites, from 1. It counts in
   * their priority from now on. Domains nobody has heard of are left out.
   */
  void rank(Map<DomainName, Long> ranks, Instant now);

  /**
   * Has domains claimed in this order, among those of the same health, and by no priority, for as
   * long as this store is open. Others come after them.
   */
  void order(List<DomainName> domains, Instant now);

  /**
   * Keeps what kind of address seeds had, after they were added. Kept before, the first kind stays;
   * named once, a seed stays named. Seeds of domains that are not known are left out.
   *
   * @return what is kept of them now
   */
  List<SeedAddress> keepAddresses(List<SeedAddress> seeds);

  /** The last known state of a domain. */
  Optional<DomainState> state(DomainName domain);

  /**
   * The domains of the run that are set aside since something stored of them cannot be read, as
   * many as the limit allows.
   */
  default List<String> damaged(int limit) {
    return List.of();
  }

  /** What is known of the templates of a domain's URLs, by their text. */
  List<TemplateStats> templates(DomainName domain);

  /** The last copy of an authority's robots.txt, however old. */
  Optional<RobotsCopy> robots(Authority authority);

  /** When a request to this domain last started, by the log. */
  Optional<Instant> lastStart(DomainName domain);

  /** When a request for a URL of this source last started, by the log. */
  Optional<Instant> lastStartOfSource(String source);
}
