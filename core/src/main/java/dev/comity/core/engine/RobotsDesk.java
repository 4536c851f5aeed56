package dev.comity.core.engine;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
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
  private static final Duration LIFE = Duration.ofDays(1);
  private static final int MOST_HOPS = 5;
  private static final int MOST_FAILURES = 5;

  private final RobotsReader reader;
  private final Predicate<CrawlUrl> sameDomain;
  private final Map<Authority, File> files = new HashMap<>();
  private final Set<Authority> beingAsked = new HashSet<>();

  RobotsDesk(RobotsReader reader, Predicate<CrawlUrl> sameDomain) {
    this.reader = reader;
    this.sameDomain = sameDomain;
  }

  /** What may be done with a URL. */
  sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied() implements Verdict {}

    /** Its file is being asked for. */
    record Asking() implements Verdict {}

    /** This file must be asked for first. */
    record Ask(CrawlUrl robotsTxt) implements Verdict {}

    /** The file could not be had often enough: the authority's URLs fail for that reason. */
    record GivenUp(Category reason) implements Verdict {}
  }

  /** What an answer to a request for a robots.txt came to. */
  sealed interface Reading {
    record Rules(RobotsRules rules) implements Reading {}

    /** The file is somewhere else and must be asked for there. */
    record Elsewhere() implements Reading {}

    /** No answer, or none that can be used. */
    record Nothing() implements Reading {}
  }

  private sealed interface File {
    record Asked(CrawlUrl at, int hops, int failures) implements File {}

    record Read(RobotsRules rules, Instant until) implements File {}

    record Silent(Category reason) implements File {}
  }

  Verdict verdict(CrawlUrl url, Instant now) {
    Authority authority = url.authority();
    if (beingAsked.contains(authority)) {
      return new Verdict.Asking();
    }
    return switch (files.getOrDefault(authority, unasked(authority))) {
      case File.Asked asked -> new Verdict.Ask(asked.at());
      case File.Silent silent -> new Verdict.GivenUp(silent.reason());
      case File.Read read when read.until().isBefore(now) -> new Verdict.Ask(authority.robotsTxt());
      case File.Read read ->
          read.rules().allows(url) ? new Verdict.Allowed() : new Verdict.Denied();
    };
  }

  /** The file of this authority was asked for: nobody else asks until it is answered. */
  void asking(Authority authority) {
    beingAsked.add(authority);
  }

  /** Takes an answer in. */
  Reading answered(Authority authority, FetchOutcome outcome, Instant now) {
    beingAsked.remove(authority);
    File.Asked asked =
        files.get(authority) instanceof File.Asked known ? known : unasked(authority);
    File file =
        switch (outcome) {
          case Success success -> read(reader.read(success.body()), now);
          case ClientError _, Forbidden _, NotModified _ -> read(new AllowAll(), now);
          case Redirect redirect -> redirected(asked, redirect, now);
          case FetchOutcome.Unsent _ -> new File.Silent(outcome.category());
          case FetchOutcome.Answer _, FetchOutcome.Pushback _, FetchOutcome.Unreachable _ ->
              asked.failures() + 1 >= MOST_FAILURES
                  ? new File.Silent(outcome.category())
                  : new File.Asked(authority.robotsTxt(), 0, asked.failures() + 1);
        };
    files.put(authority, file);
    return switch (file) {
      case File.Read read -> new Reading.Rules(read.rules());
      case File.Asked again when again.hops() > 0 -> new Reading.Elsewhere();
      case File.Asked _, File.Silent _ -> new Reading.Nothing();
    };
  }

  private File redirected(File.Asked asked, Redirect redirect, Instant now) {
    if (redirect.target().isEmpty() || asked.hops() == MOST_HOPS) {
      return read(new AllowAll(), now);
    }
    CrawlUrl target = redirect.target().get();
    // Another domain's server may only be asked by that domain's own worker. Until there is a way
    // to ask it for the file, the cautious reading is that nothing is allowed.
    return sameDomain.test(target)
        ? new File.Asked(target, asked.hops() + 1, asked.failures())
        : read(new DenyAll(), now);
  }

  private static File.Asked unasked(Authority authority) {
    return new File.Asked(authority.robotsTxt(), 0, 0);
  }

  private static File read(RobotsRules rules, Instant now) {
    return new File.Read(rules, now.plus(LIFE));
  }

  private record AllowAll() implements RobotsRules {
    @Override
    public boolean allows(CrawlUrl url) {
      return true;
    }

    @Override
    public Optional<Duration> crawlDelay() {
      return Optional.empty();
    }
  }

  private record DenyAll() implements RobotsRules {
    @Override
    public boolean allows(CrawlUrl url) {
      return false;
    }

    @Override
    public Optional<Duration> crawlDelay() {
      return Optional.empty();
    }
  }
}
