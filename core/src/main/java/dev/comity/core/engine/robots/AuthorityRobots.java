package dev.comity.core.engine.robots;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.VisitTime;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the robots.txt files of one domain say, by authority. It sends nothing: it names the file to
 * ask for, and the domain's worker asks at the domain's pace. Until a file is answered, its
 * authority's URLs are neither allowed nor denied.
 */
public final class AuthorityRobots {
  /** How long another domain's worker gets to read a file that this one needs. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** How many redirects of one file are followed: RFC 9309 asks for at least five. */
  private static final int MOST_HOPS = 5;

  private final RobotsCache cache;
  private final DomainPolicy policy;
  private final Predicate<CrawlUrl> sameDomain;
  private final Function<CrawlUrl, Optional<CrossDomainRobots.Reply>> askOthers;
  private final Map<Authority, File> files = new HashMap<>();
  private final Set<Authority> beingAsked = new HashSet<>();
  private final List<CrawlUrl> named = new ArrayList<>();

  /**
   * @param askOthers asks the worker of another domain for a file, and answers what became of that
   */
  public AuthorityRobots(
      RobotsCache cache,
      DomainPolicy policy,
      Predicate<CrawlUrl> sameDomain,
      Function<CrawlUrl, Optional<CrossDomainRobots.Reply>> askOthers) {
    this.cache = cache;
    this.policy = policy;
    this.sameDomain = sameDomain;
    this.askOthers = askOthers;
  }

  /** What may be done with a URL. */
  public sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied() implements Verdict {}

    /** Its file is being asked for. */
    record Asking() implements Verdict {}

    /** This file must be asked for first; so many tries were spent on it. */
    record Ask(CrawlUrl robotsTxt, int triesSpent) implements Verdict {}

    /** Another domain keeps the file, and its worker is asked to read it: to be seen again then. */
    record Later(Instant at) implements Verdict {}

    /** Another domain keeps the file, and this is what its worker found there. */
    record Brought(RobotsCopy copy) implements Verdict {}

    /** Another domain keeps the file, and it cannot be had there: for now it is given up. */
    record OutOfReach(RobotsCopy unread) implements Verdict {}

    /** The file could not be had: the authority's URLs fail for that reason. */
    record GivenUp(Category reason) implements Verdict {}
  }

  /** What an answer to a request for a robots.txt came to. */
  public sealed interface Reading {
    record Rules(RobotsCopy copy) implements Reading {}

    /** The file is somewhere else and must be asked for there. */
    record Elsewhere() implements Reading {}

    /** No answer, but the last good copy holds. */
    record LastGoodCopy() implements Reading {}

    /** No answer, or none that can be used. */
    record Nothing() implements Reading {}
  }

  private sealed interface File {
    record Asked(CrawlUrl at, int hops) implements File {}

    /** Another domain keeps it; so long that one's worker has time to read it. */
    record Away(CrawlUrl at, int hops, Instant until) implements File {}

    record Read(RobotsRules rules) implements File {}

    record Silent(Category reason) implements File {}
  }

  /**
   * Whether the URL may be fetched now, or what to do first.
   *
   * @param state knows how often the file was asked for in vain, under this claim and before it
   */
  public Verdict verdict(CrawlUrl url, DomainState state, Instant now) {
    Authority authority = url.authority();
    if (beingAsked.contains(authority)) {
      return new Verdict.Asking();
    }
    // The shelf decides what is still good; what was read stays known for the domain's delay.
    Optional<RobotsRules> good = cache.find(authority, now);
    if (good.isPresent()) {
      take(authority, good.get());
      return judged(url, good.get());
    }
    List<Failures.Counted> tries = policy.robotsTries(state, authority, now);
    return switch (files.getOrDefault(authority, unasked(authority))) {
      case File.Silent silent -> new Verdict.GivenUp(silent.reason());
      case File.Away away -> lookedFor(url, away, state, now);
      case File _ when tries.size() >= DomainPolicy.ROBOTS_TRIES ->
          new Verdict.GivenUp(tries.getLast().category());
      case File.Asked asked -> new Verdict.Ask(asked.at(), tries.size());
      case File.Read _ -> new Verdict.Ask(authority.robotsTxt(), tries.size());
    };
  }

  private Verdict lookedFor(CrawlUrl url, File.Away away, DomainState state, Instant now) {
    Optional<RobotsCopy> theirs = theirs(url.authority(), away.at(), now);
    if (theirs.isPresent()) {
      return brought(theirs.get());
    }
    Optional<CrossDomainRobots.Reply> reply = askOthers.apply(away.at());
    if (reply.isEmpty() && now.isBefore(away.until())) {
      return new Verdict.Later(now.plus(LOOK_AGAIN));
    }
    if (!(reply.orElseGet(CrossDomainRobots.Reply.Refused::new)
        instanceof CrossDomainRobots.Reply.Came(var outcome))) {
      return outOfReach(url, now);
    }
    return read(url.authority(), outcome, now) instanceof Reading.Rules(var copy)
        ? new Verdict.Brought(copy)
        : verdict(url, state, now);
  }

  private Verdict brought(RobotsCopy copy) {
    kept(copy);
    return new Verdict.Brought(copy);
  }

  private Verdict outOfReach(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    if (cache.lasts(authority, now)) {
      files.put(authority, unasked(authority));
      return judged(url, cache.find(authority, now).orElseThrow());
    }
    RobotsCopy unread = new RobotsCopy(authority, Optional.empty(), false, now);
    kept(unread);
    return new Verdict.OutOfReach(unread);
  }

  private static Verdict judged(CrawlUrl url, RobotsRules rules) {
    if (RobotsCache.isElsewhere(rules)) {
      return new Verdict.GivenUp(Category.REDIRECT);
    }
    return rules.allows(url) ? new Verdict.Allowed() : new Verdict.Denied();
  }

  public boolean isAsking(Authority authority) {
    return beingAsked.contains(authority);
  }

  /** The file of this authority was asked for: nobody else asks until it is answered. */
  public void asking(Authority authority) {
    beingAsked.add(authority);
  }

  /** It was asked for in vain, through no fault of the site. */
  public void notAsked(Authority authority) {
    beingAsked.remove(authority);
  }

  /** What was given up may have been our own fault: it is asked for again. */
  public void forgive() {
    files.values().removeIf(File.Silent.class::isInstance);
  }

  /** Takes an answer in, and what the policy made of it. */
  public Reading answered(Authority authority, FetchOutcome outcome, Fate fate, Instant now) {
    beingAsked.remove(authority);
    return switch (fate) {
      case Fate.Done _ -> read(authority, outcome, now);
      case Fate.Retry _ -> unanswered(authority, unasked(authority), now);
      case Fate.Failed(var reason) -> unanswered(authority, new File.Silent(reason), now);
      case Fate.Denied _, Fate.Suppressed _, Fate.Skipped _, Fate.Moved _, Fate.Returned _ ->
          new Reading.Nothing();
    };
  }

  private Reading unanswered(Authority authority, File file, Instant now) {
    if (cache.lasts(authority, now)) {
      return new Reading.LastGoodCopy();
    }
    files.put(authority, file);
    return new Reading.Nothing();
  }

  private Reading read(Authority authority, FetchOutcome outcome, Instant now) {
    return switch (outcome) {
      case Success success ->
          taken(new RobotsCopy(authority, Optional.of(success.body()), true, now));
      case Redirect redirect -> redirected(authority, redirect, now);
      case FetchOutcome _ -> taken(new RobotsCopy(authority, Optional.empty(), true, now));
    };
  }

  /** However far it was followed, it counts for the authority that was asked first. */
  private Reading redirected(Authority authority, Redirect redirect, Instant now) {
    int hops =
        switch (files.getOrDefault(authority, unasked(authority))) {
          case File.Asked asked -> asked.hops();
          case File.Away away -> away.hops();
          case File.Read _, File.Silent _ -> 0;
        };
    if (redirect.target().isEmpty() || hops >= MOST_HOPS) {
      return taken(new RobotsCopy(authority, Optional.empty(), true, now));
    }
    CrawlUrl target = redirect.target().get();
    if (sameDomain.test(target)) {
      files.put(authority, new File.Asked(target, hops + 1));
      return new Reading.Elsewhere();
    }
    Optional<RobotsCopy> theirs = theirs(authority, target, now);
    if (theirs.isPresent()) {
      return taken(theirs.get());
    }
    files.put(authority, new File.Away(target, hops + 1, now.plus(PATIENCE)));
    return new Reading.Elsewhere();
  }

  /** What that domain's own worker read there today. */
  private Optional<RobotsCopy> theirs(Authority authority, CrawlUrl target, Instant now) {
    return Optional.of(target.authority())
        .filter(other -> other.robotsTxt().equals(target))
        .flatMap(other -> cache.copyOf(other, now))
        .map(copy -> new RobotsCopy(authority, copy.file(), copy.allowed(), copy.fetchedAt()));
  }

  private Reading taken(RobotsCopy copy) {
    kept(copy);
    return new Reading.Rules(copy);
  }

  private RobotsRules kept(RobotsCopy copy) {
    RobotsRules rules = cache.rulesOf(copy);
    cache.keep(copy.authority(), rules, copy.fetchedAt());
    take(copy.authority(), rules);
    return rules;
  }

  private void take(Authority authority, RobotsRules rules) {
    if (files.get(authority) instanceof File.Read(var known) && known.equals(rules)) {
      return;
    }
    files.put(authority, new File.Read(rules));
    for (String sitemap : rules.sitemaps()) {
      if (authority.robotsTxt().resolve(sitemap) instanceof CrawlUrl url && sameDomain.test(url)) {
        named.add(url);
      }
    }
  }

  /** The sitemaps that were named since this was last asked, as far as they are the domain's. */
  public List<CrawlUrl> newSitemaps() {
    if (named.isEmpty()) {
      return List.of();
    }
    List<CrawlUrl> some = named.stream().distinct().toList();
    named.clear();
    return some;
  }

  /** The longest pause any of the files asks for. */
  public Duration longestDelay() {
    Duration longest = Duration.ZERO;
    for (File file : files.values()) {
      if (file instanceof File.Read read) {
        Duration asked = read.rules().crawlDelay().orElse(Duration.ZERO);
        longest = asked.compareTo(longest) > 0 ? asked : longest;
      }
    }
    return longest;
  }

  /** The shortest time of the day that a file allows; empty for the whole day. */
  public Optional<VisitTime> visitTime() {
    return rules().stream().flatMap(rules -> rules.visitTime().stream()).reduce(VisitTime::shorter);
  }

  /** Whether files were read and none of them allows anything. */
  public boolean everythingIsDenied() {
    return !rules().isEmpty() && rules().stream().allMatch(AuthorityRobots::deniesEverything);
  }

  /** Not knowing what a file says is no reason to think that it says no. */
  private static boolean deniesEverything(RobotsRules rules) {
    return rules.deniesEverything() && !RobotsCache.isElsewhere(rules);
  }

  private Set<RobotsRules> rules() {
    Set<RobotsRules> known = new HashSet<>();
    for (File file : files.values()) {
      if (file instanceof File.Read read) {
        known.add(read.rules());
      }
    }
    return known;
  }

  private static File.Asked unasked(Authority authority) {
    return new File.Asked(authority.robotsTxt(), 0);
  }
}
