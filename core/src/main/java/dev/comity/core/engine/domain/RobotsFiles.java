package dev.comity.core.engine.domain;

import dev.comity.core.engine.shared.RobotsCache;
import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.VisitTime;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is known of a domain's robots.txt files, by authority, and what they ask for together: the
 * longest delay, the shortest hours, the sitemaps.
 */
final class RobotsFiles {
  private final Predicate<CrawlUrl> sameDomain;
  private final Map<Authority, File> files = new HashMap<>();
  private final List<CrawlUrl> named = new ArrayList<>();

  RobotsFiles(Predicate<CrawlUrl> sameDomain) {
    this.sameDomain = sameDomain;
  }

  /** What is known of one file. */
  sealed interface File {
    /** It must be fetched there, after so many redirects. */
    record Unread(CrawlUrl at, int hops) implements File {}

    /** Another domain keeps it, and its worker has until then to fetch it. */
    record Away(CrawlUrl at, int hops, Instant until) implements File {}

    record Read(RobotsRules rules) implements File {}

    /** Every request for it failed. */
    record Silent(Category reason) implements File {}
  }

  File of(Authority authority) {
    File known = files.get(authority);
    return known == null ? unread(authority) : known;
  }

  static File unread(Authority authority) {
    return new File.Unread(authority.robotsTxt(), 0);
  }

  void put(Authority authority, File file) {
    files.put(authority, file);
  }

  /** A file was read. */
  void read(Authority authority, RobotsRules rules) {
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

  /** Forgets which files were silent. */
  void forgetSilent() {
    files.values().removeIf(File.Silent.class::isInstance);
  }

  /** The domain's sitemaps that were named since the last call, each once. */
  List<CrawlUrl> takeSitemaps() {
    if (named.isEmpty()) {
      return List.of();
    }
    List<CrawlUrl> some = named.stream().distinct().toList();
    named.clear();
    return some;
  }

  /** The limits with what the files ask for now. */
  Limits on(Limits limits) {
    return limits.withCrawlDelay(longestDelay()).withVisitTime(visitTime());
  }

  /** The limits with what the files ask for, where that is stricter. */
  Limits stricter(Limits limits) {
    return limits.stricter(longestDelay(), visitTime());
  }

  /** The longest delay that any of the files asks for. */
  private Duration longestDelay() {
    Duration longest = Duration.ZERO;
    for (File file : files.values()) {
      if (file instanceof File.Read(var rules)) {
        Duration asked = rules.crawlDelay().orElse(Duration.ZERO);
        longest = asked.compareTo(longest) > 0 ? asked : longest;
      }
    }
    return longest;
  }

  /** The shortest time of the day that a file allows; empty for the whole day. */
  private Optional<VisitTime> visitTime() {
    Optional<VisitTime> shortest = Optional.empty();
    for (File file : files.values()) {
      if (file instanceof File.Read(var rules) && rules.visitTime().isPresent()) {
        VisitTime hours = rules.visitTime().get();
        shortest = Optional.of(shortest.isPresent() ? shortest.get().shorter(hours) : hours);
      }
    }
    return shortest;
  }

  /** Whether files were read and none of them allows anything. A file out of reach denies none. */
  boolean everythingIsDenied() {
    boolean denied = false;
    for (File file : files.values()) {
      if (file instanceof File.Read(var rules)) {
        if (!rules.deniesEverything() || RobotsCache.isElsewhere(rules)) {
          return false;
        }
        denied = true;
      }
    }
    return denied;
  }
}
