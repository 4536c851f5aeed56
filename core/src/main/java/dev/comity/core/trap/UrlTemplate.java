package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the URLs that one rule of a site's software makes have in common: {@code /shop/*?color&size}
 * for {@code /shop/shirts?size=l&color=red}. Numbers are {@code #}, long codes {@code ~}, and the
 * last name of a path {@code *}, unless little but its numbers tells it from others. Parameters
 * stand in order, without their values.
 *
 * @param path of the template
 * @param query its parameters' names after a question mark, or nothing
 */
record UrlTemplate(String path, String query) {
  /** Everything that carries a session, wherever it is. */
  static final String SESSIONS = "/**;";

  private static final int MOST_NAMES = 12;
  private static final int LONGEST_NAME = 24;
  private static final int SHORTEST_CODE = 8;

  static UrlTemplate of(CrawlUrl url) {
    return of(UrlParts.of(url));
  }

  static UrlTemplate of(UrlParts parts) {
    Optional<String> session = parts.session();
    return session.isPresent()
        ? new UrlTemplate(SESSIONS + session.get(), "")
        : new UrlTemplate(path(parts), query(parts));
  }

  String text() {
    return query.isEmpty() ? path : path + query;
  }

  /** The first directory of its path, or the root. */
  String top() {
    return top(path);
  }

  static String top(String text) {
    int query = text.indexOf('?');
    int slash = text.indexOf('/', 1);
    return slash < 0 || (query >= 0 && query < slash) ? "/" : text.substring(0, slash + 1);
  }

  private static String path(UrlParts parts) {
    List<String> segments = parts.segments();
    StringBuilder text = new StringBuilder(parts.path().length());
    int last = segments.size() - 1;
    for (int i = 0; i <= last; i++) {
      text.append('/').append(i == last ? leaf(segments.get(i)) : name(segments.get(i)));
    }
    return parts.path().endsWith("/") ? text.append('/').toString() : text.toString();
  }

  private static String query(UrlParts parts) {
    if (parts.parameters().isEmpty()) {
      return parts.hasQuery() ? "?" : "";
    }

    TreeSet<String> names = new TreeSet<>();
    parts.parameters().forEach(parameter -> names.add(name(parameter.name())));
    return "?" + (names.size() > MOST_NAMES ? "*" : String.join("&", names));
  }

  private static String name(String name) {
    Letters letters = Letters.of(name);
    return letters.isCode() ? "~" : numbers(name, letters);
  }

  /** The ending is kept, so that pages and documents are told apart. */
  private static String leaf(String name) {
    int dot = name.lastIndexOf('.');
    boolean hasEnding = dot > 0 && name.length() - dot <= 6;
    String ending = hasEnding ? name.substring(dot) : "";
    String stem = hasEnding ? name.substring(0, dot) : name;
    Letters letters = Letters.of(stem);
    if (letters.isCode()) {
      return "~" + ending;
    }
    return (letters.digits > 0 && !letters.isTitle() ? numbers(stem, letters) : "*") + ending;
  }

  /**
   * What a name is made of. It is asked of every link of every page, so it is one walk over it.
   *
   * @param words runs of letters
   * @param others what is neither letter nor digit
   * @param foreign an escaped sign, which is no letter of ours
   */
  private record Letters(
      int letters, int digits, int words, int others, boolean hex, boolean foreign) {
    static Letters of(String name) {
      int letters = 0;
      int digits = 0;
      int words = 0;
      boolean hex = true;
      boolean foreign = false;
      boolean inWord = false;
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        boolean letter = Signs.isLetter(c);
        if (letter) {
          letters++;
          words += inWord ? 0 : 1;
        } else if (Signs.isDigit(c)) {
          digits++;
        } else if (c == '%') {
          foreign = true;
        }
        inWord = letter;
        hex = hex && (Signs.isDigit(c) || c == '-' || (letter && (c | ' ') <= 'f'));
      }
      return new Letters(letters, digits, words, name.length() - letters - digits, hex, foreign);
    }

    /** Hexadecimal, or long and without the order of a word. */
    boolean isCode() {
      int length = letters + digits + others;
      return length >= SHORTEST_CODE
          && letters > 0
          && digits > 0
          && (hex || (length > LONGEST_NAME && others == 0));
    }

    /** Three words or more, or signs that are no letters of ours: an author chose them. */
    boolean isTitle() {
      return foreign || words > 2;
    }
  }

  /** Every number as one sign; most names have none. */
  private static String numbers(String name, Letters letters) {
    if (letters.digits == 0) {
      return name;
    }
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      if (!Signs.isDigit(name.charAt(i))) {
        text.append(name.charAt(i));
      } else if (i == 0 || !Signs.isDigit(name.charAt(i - 1))) {
        text.append('#');
      }
    }
    return text.toString();
  }
}
