package dev.comity.core.usage;

import dev.comity.core.usage.Wish.FoundIn;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads robots directives in {@code X-Robots-Tag} lines and meta elements. Directives for every
 * robot and for our robots token add up: no directive withdraws another.
 */
final class RobotsDirectives {
  /** More directives than that are an attack: parsing a date that is none is slow. */
  static final int MOST_DIRECTIVES = 1_000;

  private static final String EVERYONE = "robots";
  private static final String EXPIRY = "unavailable_after";
  private static final String ISO_DATE = "2026-11-16";
  private static final List<String> WITH_VALUE =
      List.of(EXPIRY, "max-snippet", "max-image-preview", "max-video-preview");

  private final String token;
  private final Instant now;
  private boolean keep = true;
  private boolean follow = true;
  private int heard;
  private final List<Wish> wishes = new ArrayList<>(0);

  /**
   * @param token the name we go by
   * @param now pages may expire
   */
  RobotsDirectives(String token, Instant now) {
    this.token = token;
    this.now = now;
  }

  /** Whether the page has not expired. */
  boolean mayKeep() {
    return keep;
  }

  /** Whether the page's links may be followed. */
  boolean mayFollow() {
    return follow;
  }

  List<Wish> wishes() {
    return wishes;
  }

  void meta(String name, String content) {
    if (isForUs(name.strip())) {
      words(List.of(content.split(",", -1)));
    }
  }

  /** One header line; a name before a colon is the robot that the words after it are for. */
  void header(String line) {
    boolean forUs = true;
    List<String> parts = List.of(line.split(",", -1));
    for (int index = 0; index < parts.size(); index++) {
      String part = parts.get(index).strip();
      int colon = part.indexOf(':');
      if (colon > 0 && isName(part.substring(0, colon).strip())) {
        forUs = isForUs(part.substring(0, colon).strip());
        part = part.substring(colon + 1).strip();
      }
      if (forUs) {
        String next = index + 1 < parts.size() ? parts.get(index + 1) : "";
        part(part, next, FoundIn.HEADER);
      }
    }
  }

  private static boolean isName(String text) {
    return !WITH_VALUE.contains(text.toLowerCase(Locale.ROOT)) && text.indexOf(' ') < 0;
  }

  private boolean isForUs(String name) {
    return name.equalsIgnoreCase(EVERYONE) || name.equalsIgnoreCase(token);
  }

  private void words(List<String> parts) {
    for (int index = 0; index < parts.size(); index++) {
      String next = index + 1 < parts.size() ? parts.get(index + 1) : "";
      part(parts.get(index).strip(), next, FoundIn.META);
    }
  }

  /**
   * @param next what follows the comma, which may be one of a date
   */
  private void part(String part, String next, FoundIn origin) {
    if (heard == MOST_DIRECTIVES) {
      return;
    }
    heard++;
    if (part.regionMatches(true, 0, EXPIRY, 0, EXPIRY.length())) {
      String date = part.substring(EXPIRY.length()).replaceFirst("^\\s*:", "").strip();
      boolean over =
          date(date).or(() -> date(date + ", " + next.strip())).filter(now::isAfter).isPresent();
      keep &= !over;
      wish(UsageSignal.RECORDED, origin, part);
      return;
    }
    for (String word : part.split("\\s+", -1)) {
      word(word, origin);
    }
  }

  private void word(String word, FoundIn origin) {
    switch (word.toLowerCase(Locale.ROOT)) {
      case "noindex" -> wish(UsageSignal.NO_INDEX, origin, word);
      case "nofollow" -> follow = false;
      case "none" -> {
        follow = false;
        wish(UsageSignal.NO_INDEX, origin, word);
      }
      case "noarchive", "nocache" -> wish(UsageSignal.NO_ARCHIVE, origin, word);
      case "noimageindex" -> wish(UsageSignal.NO_IMAGE_INDEX, origin, word);
      case "noai" -> wish(UsageSignal.NO_AI, origin, word);
      case "noimageai" -> wish(UsageSignal.NO_IMAGE_AI, origin, word);
      case "noml" -> wish(UsageSignal.NO_ML, origin, word);
      case "nosnippet" -> wish(UsageSignal.RECORDED, origin, word);
      default -> {
        // Words about search results, or unknown words.
      }
    }
  }

  private void wish(UsageSignal signal, FoundIn origin, String words) {
    wishes.add(
        new Wish(signal, origin, (origin == FoundIn.META ? "robots: " : "X-Robots-Tag: ") + words));
  }

  /** A date in one of the two forms in use; a date that cannot be read never comes. */
  private static Optional<Instant> date(String text) {
    try {
      if (text.length() == ISO_DATE.length()) {
        return Optional.of(LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
      }
      boolean iso = text.startsWith("T", ISO_DATE.length());
      return Optional.of(
          (iso ? DateTimeFormatter.ISO_DATE_TIME : DateTimeFormatter.RFC_1123_DATE_TIME)
              .parse(text, Instant::from));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
