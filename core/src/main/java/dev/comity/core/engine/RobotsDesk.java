package dev.comity.core.engine;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.RobotsCopy;
import dev.comity.core.port.RobotsReader;
import dev.comity.core.port.RobotsRules;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the robots.txt files of one domain say, by authority. It sends nothing: it names the file to
 * ask for, and the domain's worker asks at the domain's pace. Until a file is answered, its
 * authority's URLs are neither allowed nor denied.
 */
final class RobotsDesk {
  private static final int MOST_HOPS = 5;

  private final RobotsReader reader;
  private final RobotsShelf shelf;
  private final Predicate<CrawlUrl> sameDomain;
  private final Map<Authority, File> files = new HashMap<>();
  private final Set<Authority> beingAsked = new HashSet<>();

  RobotsDesk(RobotsReader reader, RobotsShelf shelf, Predicate<CrawlUrl> sameDomain) {
    this.reader = reader;
    this.shelf = shelf;
    this.sameDomain = sameDomain;
  }

  /** What may be done with a URL. */
  sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied() implements Verdict {}

    /** Its file is being asked for. */
    record Asking() implements Verdict {}

    /** This file must be asked for first; so many tries were spent on it. */
    record Ask(CrawlUrl robotsTxt, int triesSpent) implements Verdict {}

    /** The file could not be had: the authority's URLs fail for that reason. */
    record GivenUp(Category reason) implements Verdict {}
  }

  /** What an answer to a request for a robots.txt came to. */
  sealed interface Reading {
    record Rules(RobotsCopy copy) implements Reading {}

    /** The file is somewhere else and must be asked for there. */
    record Elsewhere() implements Reading {}

    /** No answer, or none that can be used. */
    record Nothing() implements Reading {}
  }

  private sealed interface File {
    record Asked(CrawlUrl at, int hops, int triesSpent) implements File {}

    /** What was served, where it was read just now and not found on the shelf. */
    record Read(RobotsRules rules, Optional<Body> served) implements File {}

    record Silent(Category reason) implements File {}
  }

  Verdict verdict(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    if (beingAsked.contains(authority)) {
      return new Verdict.Asking();
    }
    // The shelf decides what is still good; what was read stays known for the domain's delay.
    Optional<RobotsRules> good = shelf.find(authority, now);
    if (good.isPresent()) {
      files.put(authority, new File.Read(good.get(), Optional.empty()));
      return good.get().allows(url) ? new Verdict.Allowed() : new Verdict.Denied();
    }
    return switch (files.getOrDefault(authority, unasked(authority))) {
      case File.Asked asked -> new Verdict.Ask(asked.at(), asked.triesSpent());
      case File.Silent silent -> new Verdict.GivenUp(silent.reason());
      case File.Read _ -> new Verdict.Ask(authority.robotsTxt(), 0);
    };
  }

  /** The file of this authority was asked for: nobody else asks until it is answered. */
  void asking(Authority authority) {
    beingAsked.add(authority);
  }

  /** It was asked for in vain, through no fault of the site. */
  void notAsked(Authority authority) {
    beingAsked.remove(authority);
  }

  /** Takes an answer in, and what the policy made of it. */
  Reading answered(Authority authority, FetchOutcome outcome, Fate fate, Instant now) {
    beingAsked.remove(authority);
    File.Asked asked =
        files.get(authority) instanceof File.Asked known ? known : unasked(authority);
    File file =
        switch (fate) {
          case Fate.Retry(_, var spends) ->
              new File.Asked(authority.robotsTxt(), 0, asked.triesSpent() + (spends ? 1 : 0));
          case Fate.Failed(var reason) -> new File.Silent(reason);
          case Fate.Done _ -> read(asked, outcome);
          case Fate.Denied _, Fate.Moved _, Fate.Returned _ -> asked;
        };
    files.put(authority, file);
    return switch (file) {
      case File.Read read -> {
        shelf.keep(authority, read.rules(), now);
        boolean allowed = !read.rules().deniesEverything();
        yield new Reading.Rules(new RobotsCopy(authority, read.served(), allowed, now));
      }
      case File.Asked again when again.hops() > 0 -> new Reading.Elsewhere();
      case File.Asked _, File.Silent _ -> new Reading.Nothing();
    };
  }

  /** The longest pause any of the files asks for. */
  Duration longestDelay() {
    return rules().stream()
        .flatMap(rules -> rules.crawlDelay().stream())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Whether files were read and none of them allows anything. */
  boolean everythingIsDenied() {
    return !rules().isEmpty() && rules().stream().allMatch(RobotsRules::deniesEverything);
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

  private File read(File.Asked asked, FetchOutcome outcome) {
    return switch (outcome) {
      case Success success ->
          new File.Read(reader.read(success.body()), Optional.of(success.body()));
      case Redirect redirect -> redirected(asked, redirect);
      case FetchOutcome _ -> everything(true);
    };
  }

  private File redirected(File.Asked asked, Redirect redirect) {
    if (redirect.target().isEmpty() || asked.hops() == MOST_HOPS) {
      return everything(true);
    }
    CrawlUrl target = redirect.target().get();
    // Another domain's server may only be asked by that domain's own worker. Until there is a way
    // to ask it for the file, the cautious reading is that nothing is allowed.
    return sameDomain.test(target)
        ? new File.Asked(target, asked.hops() + 1, asked.triesSpent())
        : everything(false);
  }

  private static File everything(boolean allowed) {
    return new File.Read(new RobotsRules.Everything(allowed), Optional.empty());
  }

  private static File.Asked unasked(Authority authority) {
    return new File.Asked(authority.robotsTxt(), 0, 0);
  }
}
