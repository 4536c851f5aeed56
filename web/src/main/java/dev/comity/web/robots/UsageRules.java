package dev.comity.web.robots;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageLines;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes;
import java.util.ArrayList;
import java.util.List;

/**
 * What a robots.txt says about the use of content: {@code Content-Usage} and {@code Content-Signal}
 * lines, each with a path or for all paths, and licences.
 */
final class UsageRules {
  private final WishPatterns usage;
  private final WishPatterns signals;
  private final List<Wish> licences;

  private UsageRules(WishPatterns usage, WishPatterns signals, List<Wish> licences) {
    this.usage = usage;
    this.signals = signals;
    this.licences = licences;
  }

  Wishes wishes(CrawlUrl url) {
    if (usage.isEmpty() && signals.isEmpty() && licences.isEmpty()) {
      return Wishes.NONE;
    }
    List<Wish> found = new ArrayList<>(usage.of(url));
    found.addAll(signals.of(url));
    found.addAll(licences);
    return Wishes.of(found);
  }

  /** The lines of one group while they are being read. */
  static final class UsageDraft {
    private final WishPatterns.PatternDraft usage = new WishPatterns.PatternDraft();
    private final WishPatterns.PatternDraft signals = new WishPatterns.PatternDraft();

    void contentUsage(String value) {
      List<Wish> wishes = UsageLines.contentUsage(words(value), FoundIn.ROBOTS_TXT);
      usage.add(path(value), wishes);
    }

    void contentSignal(String value) {
      List<Wish> wishes = UsageLines.contentSignal(words(value), FoundIn.ROBOTS_TXT);
      signals.add(path(value), wishes);
    }

    private static String path(String value) {
      int end = pathEnd(value);
      return RobotsPath.ofPattern(end == 0 ? "/" : value.substring(0, end));
    }

    private static String words(String value) {
      return value.substring(pathEnd(value)).strip();
    }

    /** A path starts with a slash or a star and ends at a space; 0 where there is none. */
    private static int pathEnd(String value) {
      if (!value.startsWith("/") && !value.startsWith("*")) {
        return 0;
      }
      int at = 0;
      while (at < value.length() && value.charAt(at) != ' ' && value.charAt(at) != '\t') {
        at++;
      }
      return at;
    }

    UsageRules finished(List<String> licences) {
      return new UsageRules(
          usage.finished(),
          signals.finished(),
          licences.stream().map(UsageLines::license).toList());
    }
  }
}
