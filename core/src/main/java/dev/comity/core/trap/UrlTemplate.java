package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
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
    UrlParts parts = UrlParts.of(url);
    return parts
        .session()
        .map(name -> new UrlTemplate(SESSIONS + name, ""))
        .orElseGet(() -> new UrlTemplate(path(parts), query(parts)));
  }

  String text() {
    return path + query;
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
    StringBuilder text = new StringBuilder();
    boolean directory = parts.path().endsWith("/");
    for (int i = 0; i < segments.size(); i++) {
      boolean last = i == segments.size() - 1;
      text.append('/').append(last ? leaf(segments.get(i)) : name(segments.get(i)));
    }
    return directory ? text.append('/').toString() : text.toString();
  }

  private static String query(UrlParts parts) {
    TreeSet<String> names = new TreeSet<>();
    parts.parameters().forEach(parameter -> names.add(name(parameter.name())));
    if (names.isEmpty()) {
      return parts.hasQuery() ? "?" : "";
    }
    return "?" + (names.size() > MOST_NAMES ? "*" : String.join("&", names));
  }

  private static String name(String name) {
    return isCode(name) ? "~" : numbers(name);
  }

  /** The ending is kept, so that pages and documents are told apart. */
  private static String leaf(String name) {
    int dot = name.lastIndexOf('.');
    boolean hasEnding = dot > 0 && name.length() - dot <= 6;
    String ending = hasEnding ? name.substring(dot) : "";
    String stem = hasEnding ? name.substring(0, dot) : name;
    if (isCode(stem)) {
      return "~" + ending;
    }
    boolean numbered = stem.chars().anyMatch(UrlTemplate::isDigit);
    return (numbered && !isTitle(stem) ? numbers(stem) : "*") + ending;
  }

  /** Three words or more, or signs that are no letters of ours: an author chose them. */
  private static boolean isTitle(String stem) {
    return stem.indexOf('%') >= 0
        || List.of(stem.split("[^A-Za-z]+", -1)).stream().filter(word -> !word.isEmpty()).count()
            > 2;
  }

  /** Hexadecimal, or long and without the order of a word. */
  private static boolean isCode(String name) {
    if (name.length() < SHORTEST_CODE) {
      return false;
    }
    boolean digits = name.chars().anyMatch(UrlTemplate::isDigit);
    boolean letters = name.chars().anyMatch(Character::isLetter);
    if (!digits || !letters) {
      return false;
    }
    return name.chars().allMatch(UrlTemplate::isHexadecimal)
        || (name.length() > LONGEST_NAME && name.chars().allMatch(Character::isLetterOrDigit));
  }

  /** Every number as one sign; most names have none. */
  private static String numbers(String name) {
    if (name.chars().noneMatch(UrlTemplate::isDigit)) {
      return name;
    }
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      if (!isDigit(name.charAt(i))) {
        text.append(name.charAt(i));
      } else if (i == 0 || !isDigit(name.charAt(i - 1))) {
        text.append('#');
      }
    }
    return text.toString();
  }

  private static boolean isHexadecimal(int character) {
    return isDigit(character)
        || character == '-'
        || (character >= 'a' && character <= 'f')
        || (character >= 'A' && character <= 'F');
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }
}
