package dev.comity.web.robots;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Wishes by path. The longest pattern that matches decides, as for Allow and Disallow. Patterns of
 * equal length add up: nothing that a site asked for is dropped.
 */
final class WishPatterns {
  /** More than any site needs; those beyond are left out. */
  private static final int MOST = 1_000;

  private final List<Rule> rules;

  private WishPatterns(List<Rule> rules) {
    this.rules =
        rules.stream()
            .sorted(Comparator.comparingInt((Rule rule) -> -rule.pattern().length()))
            .toList();
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  private record Rule(PathPattern pattern, List<Wish> wishes) {}

  /** When the steps are used up, the rest is unknown, so the wishes of all other patterns count. */
  List<Wish> of(CrawlUrl url) {
    if (rules.isEmpty()) {
      return List.of();
    }
    String target = url.target();
    String path = RobotsPath.ofTarget(target.startsWith("/") ? target : "/" + target);
    Steps steps = new Steps();
    List<Wish> found = new ArrayList<>();
    int longest = -1;
    for (Rule rule : rules) {
      int length = rule.pattern().length();
      if (steps.areSpent()) {
        found.addAll(rule.wishes());
      } else if (length < longest) {
        break;
      } else if (rule.pattern().matches(path, steps)) {
        longest = length;
        found.addAll(rule.wishes());
      }
    }
    return found;
  }

  /** The patterns of one file while they are being read. */
  static final class PatternDraft {
    private final List<Rule> rules = new ArrayList<>();

    boolean isFull() {
      return rules.size() == MOST;
    }

    /**
     * @param spelled a pattern in the spelling of {@link RobotsPath}
     */
    void add(String spelled, List<Wish> wishes) {
      if (!isFull()) {
        rules.add(new Rule(new PathPattern(spelled), List.copyOf(wishes)));
      }
    }

    WishPatterns finished() {
      return new WishPatterns(rules);
    }
  }
}
