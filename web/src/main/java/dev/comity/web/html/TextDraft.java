package dev.comity.web.html;

import dev.comity.core.port.fetch.TextFingerprint;
import java.util.Optional;

/** Text as a reader sees it: every stretch of white space is one space, none is at its ends. */
final class TextDraft {
  private static final char NO_BREAK_SPACE = '\u00a0';

  private final StringBuilder text = new StringBuilder();
  private final int limit;
  private boolean spaceDue;
  private String breakDue = "";
  private boolean keepsLines;
  private boolean any;
  private final Optional<TextFingerprint> fingerprint;

  /**
   * @param limit how many characters are kept
   */
  TextDraft(int limit) {
    this(limit, Optional.empty());
  }

  private TextDraft(int limit, Optional<TextFingerprint> fingerprint) {
    this.limit = limit;
    this.fingerprint = fingerprint;
  }

  /** A draft that takes the fingerprint of all that is added. */
  static TextDraft withFingerprint(int limit) {
    return new TextDraft(limit, Optional.of(new TextFingerprint()));
  }

  /** Adds a part of a page that ends before a tag, with its character references or without any. */
  void append(String html, int start, int end, boolean withReferences) {
    if (fingerprint.isPresent()) {
      fingerprint.get().add(html, start, end);
    }
    int at = start;
    int ampersand = withReferences ? html.indexOf('&', start, end) : -1;
    while (ampersand >= 0 && !(any && isFull())) {
      appendPlain(html, at, ampersand);
      StringBuilder meant = new StringBuilder();
      at = References.resolve(html, ampersand, false, meant);
      appendPlain(meant.toString(), 0, meant.length());
      ampersand = html.indexOf('&', at, end);
    }
    appendPlain(html, at, end);
  }

  /** Of all that was added, be it kept or not, as the page writes it; 0 if it is not taken. */
  long fingerprint() {
    return fingerprint.map(TextFingerprint::value).orElse(0L);
  }

  /** What follows is another word. */
  void part() {
    spaceDue = true;
  }

  /** What follows is on another line. */
  void line() {
    breakDue = breakDue.isEmpty() ? "\n" : breakDue;
  }

  /** What follows is another paragraph. */
  void paragraph() {
    breakDue = "\n\n";
  }

  /** Whether line ends in the text are kept, as in preformatted text. */
  void keepLines(boolean kept) {
    keepsLines = kept;
  }

  /** How many characters are kept so far. */
  int length() {
    return Math.min(text.length(), limit);
  }

  boolean isFull() {
    return text.length() >= limit;
  }

  /** Whether there is anything to read, be it kept or not. */
  boolean hasAny() {
    return any;
  }

  private void appendPlain(String html, int start, int end) {
    int at = start;
    while (at < end && !(any && isFull())) {
      char first = html.charAt(at);
      if (isWhite(first)) {
        spaceDue = true;
        if (keepsLines && first == '\n') {
          line();
        }
        at++;
      } else if (first == '\0') {
        at++;
      } else if (isFull()) {
        any = true;
      } else {
        any = true;
        int runEnd = runEnd(html, at + 1, (int) Math.min(end, at + 2L + limit - text.length()));
        if (!breakDue.isEmpty() && !text.isEmpty()) {
          text.append(breakDue);
        } else if (spaceDue && !text.isEmpty()) {
          text.append(' ');
        }
        spaceDue = false;
        breakDue = "";
        text.append(html, at, runEnd);
        at = runEnd;
      }
    }
  }

  /** Where a stretch ends that can be taken as it is: single spaces between words do not end it. */
  private static int runEnd(String html, int start, int end) {
    int at = start;
    while (at < end) {
      char character = html.charAt(at);
      // Nearly every character is a letter: one look tells.
      boolean plain = character > ' ' && character != NO_BREAK_SPACE;
      if (!plain && endsRun(html, at, end)) {
        return at;
      }
      at++;
    }
    return at;
  }

  private static boolean endsRun(String html, int at, int end) {
    char character = html.charAt(at);
    return character == '\0' || (isWhite(character) && !isSingleSpace(html, at, end));
  }

  private static boolean isSingleSpace(String html, int at, int end) {
    return html.charAt(at) == ' '
        && at + 1 < end
        && html.charAt(at + 1) != '\0'
        && !isWhite(html.charAt(at + 1));
  }

  private static boolean isWhite(char character) {
    return HtmlScanner.isSpace(character) || character == NO_BREAK_SPACE;
  }

  @Override
  public String toString() {
    if (text.length() <= limit) {
      return text.toString();
    }
    boolean insidePair = limit > 0 && Character.isHighSurrogate(text.charAt(limit - 1));
    return text.substring(0, insidePair ? limit - 1 : limit);
  }
}
