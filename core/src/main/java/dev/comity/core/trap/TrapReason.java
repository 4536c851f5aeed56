package dev.comity.core.trap;

import java.util.Locale;

/** Why the URLs of a template are not asked. */
public enum TrapReason {
  SAME_TEXT("its pages say the same, but for numbers"),
  NOTHING_NEW("its pages lead to each other and say nothing new"),
  COMBINATIONS("its pages are combinations of a few parameters and lead nowhere new"),
  TOO_DEEP("more directories deep than any honest page"),
  REPEATING("the path repeats itself");

  private final String words;

  TrapReason(String words) {
    this.words = words;
  }

  /** The reason in words. */
  public String words() {
    return words;
  }

  /** The name in stored rows and JSON: {@code same_text}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reason of that name. */
  public static TrapReason of(String code) {
    return valueOf(code.toUpperCase(Locale.ROOT));
  }
}
