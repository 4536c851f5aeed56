package dev.comity.core.scope;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.comity.core.url.CrawlUrl;

/**
 * A regular expression over the normal form of URLs, which matches if it is found anywhere in it.
 * Matching takes linear time whatever the pattern and the URL: sites choose URLs, and must not
 * choose how long we think about them.
 */
public final class UrlPattern implements ParsedPattern {
  /** Deeper nesting than this length allows would overflow the compiler's stack. */
  static final int LONGEST = 500;

  private final Pattern pattern;

  private UrlPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Reads a pattern in the syntax of RE2. */
  public static ParsedPattern parse(String text) {
    if (text.length() > LONGEST) {
      return PatternRefusal.tooLong(text);
    }
    if (RepeatCounts.product(text) > RepeatCounts.LARGEST_PRODUCT) {
      return PatternRefusal.tooLarge(text);
    }
    try {
      return new UrlPattern(Pattern.compile(text));
    } catch (PatternSyntaxException wrong) {
      return PatternRefusal.of(text, wrong);
    }
  }

  /** Reads a pattern that is known to be good; anything else is the caller's mistake. */
  public static UrlPattern of(String text) {
    return switch (parse(text)) {
      case UrlPattern pattern -> pattern;
      case PatternRefusal refusal -> throw new IllegalArgumentException(refusal.message());
    };
  }

  /** Whether the pattern is found in the URL's normal form. */
  public boolean matches(CrawlUrl url) {
    return pattern.matcher(url.toString()).find();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UrlPattern that && pattern.equals(that.pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  /** The pattern as it was written. */
  @Override
  public String toString() {
    return pattern.pattern();
  }
}
