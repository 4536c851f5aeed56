package dev.comity.core.port.fetch;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of a page, extracted on the first read. Few crawls keep the text of pages. Thread-safe.
 */
public final class PageText {
  private final boolean blank;
  private final long fingerprint;
  private @Nullable Supplier<String> maker;
  private String text = "";

  private PageText(boolean blank, long fingerprint, Supplier<String> maker) {
    this.blank = blank;
    this.fingerprint = fingerprint;
    this.maker = maker;
  }

  /** A text that is known. */
  public static PageText of(String text) {
    return new PageText(text.isBlank(), fingerprint(text), () -> text);
  }

  /**
   * A text that is extracted on the first read.
   *
   * @param blank whether a reader would see nothing at all
   * @param fingerprint equal for equal texts
   * @param maker makes the text, at most once
   */
  public static PageText lazily(boolean blank, long fingerprint, Supplier<String> maker) {
    return new PageText(blank, fingerprint, maker);
  }

  private static long fingerprint(String text) {
    TextFingerprint of = new TextFingerprint();
    of.add(text, 0, text.length());
    return TextFingerprint.ended(of.value());
  }

  /** Equal for equal texts; known without making the text. */
  public long fingerprint() {
    return fingerprint;
  }

  public boolean isBlank() {
    return blank;
  }

  @Override
  public synchronized String toString() {
    if (maker != null) {
      Supplier<String> once = maker;
      maker = null;
      try {
        text = once.get();
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError _) {
        // A page that cannot be parsed has no text. It never costs the crawl.
      }
    }
    return text;
  }
}
