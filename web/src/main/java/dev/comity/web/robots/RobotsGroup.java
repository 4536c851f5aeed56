package dev.comity.web.robots;

import dev.comity.core.policy.VisitTime;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The rules and the delay of all groups for one robot: the longest pattern that matches decides,
 * and of two equally long ones the one that allows.
 */
final class RobotsGroup implements RobotsRules {
  private static final Comparator<Rule> MOST_SPECIFIC_FIRST =
      Comparator.comparingInt((Rule rule) -> -rule.pattern().length())
          .thenComparing(rule -> !rule.allow());

  private final List<Rule> rules;
  private final Optional<Duration> crawlDelay;
  private final Optional<VisitTime> visitTime;
  private final List<String> sitemaps;
  private final UsageRules usage;

  private RobotsGroup(
      List<Rule> rules,
      Optional<Duration> crawlDelay,
      Optional<VisitTime> visitTime,
      List<String> sitemaps,
      UsageRules usage) {
    this.rules = rules;
    this.crawlDelay = crawlDelay;
    this.visitTime = visitTime;
    this.sitemaps = List.copyOf(sitemaps);
    this.usage = usage;
  }

  @Override
  public boolean allows(CrawlUrl url) {
    return allows(url, new Steps());
  }

  /** When the steps are used up, the rest of the file is unknown, so the URL is not allowed. */
  boolean allows(CrawlUrl url, Steps steps) {
    String target = url.target();
    if (target.equals("/robots.txt")) {
      return true;
    }
    String path = RobotsPath.ofTarget(target.startsWith("/") ? target : "/" + target);
    for (Rule rule : rules) {
      if (rule.pattern().matches(path, steps)) {
        return rule.allow();
      }
      if (steps.areSpent()) {
        return false;
      }
    }
    return true;
  }

  /** Judged by the rules alone: one that shuts the whole site, and none that opens a part of it. */
  @Override
  public boolean deniesEverything() {
    return rules.stream().noneMatch(Rule::allow)
        && rules.stream().anyMatch(rule -> rule.pattern().matches("/"));
  }

  @Override
  public Optional<Duration> crawlDelay() {
    return crawlDelay;
  }

  @Override
  public Optional<VisitTime> visitTime() {
    return visitTime;
  }

  @Override
  public List<String> sitemaps() {
    return sitemaps;
  }

  @Override
  public Wishes wishes(CrawlUrl url) {
    return usage.wishes(url);
  }

  private record Rule(PathPattern pattern, boolean allow) {}

  /** A group while its lines are being read. */
  static final class Builder {
    private final List<Rule> rules = new ArrayList<>();
    private Optional<Duration> crawlDelay = Optional.empty();
    private Optional<VisitTime> visitTime = Optional.empty();
    private final UsageRules.UsageDraft usage = new UsageRules.UsageDraft();

    /**
     * Adds a line; one without a path says nothing. To allow a directory's index page allows the
     * directory itself too: not in the standard, but read that way since long and never to a site's
     * harm. The reverse is not read into a Disallow.
     */
    void rule(String path, boolean allow) {
      if (path.isEmpty()) {
        return;
      }
      String spelled = RobotsPath.ofPattern(path);
      rules.add(new Rule(new PathPattern(spelled), allow));
      int slash = spelled.lastIndexOf('/');
      if (allow && slash >= 0 && spelled.startsWith("/index.htm", slash)) {
        rules.add(new Rule(new PathPattern(spelled.substring(0, slash + 1) + "$"), true));
      }
    }

    /** Of several delays the longest holds: nothing a site asked for is shortened. */
    void delay(Duration asked) {
      crawlDelay =
          crawlDelay.filter(known -> known.compareTo(asked) > 0).or(() -> Optional.of(asked));
    }

    /** Of several times the shortest holds: it is allowed whatever the site meant by the others. */
    void hours(VisitTime asked) {
      visitTime = Optional.of(visitTime.map(known -> known.shorter(asked)).orElse(asked));
    }

    UsageRules.UsageDraft usage() {
      return usage;
    }

    /**
     * @param sitemaps named anywhere in the file: they belong to no group
     * @param licences the same
     */
    RobotsGroup finished(List<String> sitemaps, List<String> licences) {
      return new RobotsGroup(
          rules.stream().sorted(MOST_SPECIFIC_FIRST).toList(),
          crawlDelay,
          visitTime,
          sitemaps,
          usage.finished(licences));
    }
  }
}
