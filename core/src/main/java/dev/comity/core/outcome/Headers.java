package dev.comity.core.outcome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Response headers, looked up without regard to case. There are a dozen of them: to look through
 * them costs less than to sort them, and every page has its own.
 *
 * <p>A value's characters are the bytes that were sent, each as the character of that number.
 */
public final class Headers {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** No headers at all. */
  public static final Headers NONE = new Headers(new String[0]);

  /** Name, value, name, value, in order of arrival; the names in lower case. */
  private final String[] lines;

  private Headers(String[] lines) {
    this.lines = lines;
  }

  /** Headers by name; names that differ only in case are one. */
  public static Headers of(Map<String, List<String>> headers) {
    Draft draft = new Draft();
    headers.forEach((name, values) -> values.forEach(value -> draft.add(name, value)));
    return draft.done();
  }

  /** Headers that arrive one after the other. */
  public static final class Draft {
    private final List<String> lines = new ArrayList<>(32);

    /** One more line. */
    public void add(String name, String value) {
      lines.add(lower(name));
      lines.add(value);
    }

    /** The last line goes on. */
    public void extend(String more) {
      if (!lines.isEmpty()) {
        lines.add(lines.removeLast() + " " + more);
      }
    }

    /** All of them. */
    public Headers done() {
      return new Headers(lines.toArray(new String[0]));
    }
  }

  /** The first value of that name. */
  public Optional<String> first(String name) {
    int at = find(lower(name), 0);
    return at < 0 ? Optional.empty() : Optional.of(lines[at + 1]);
  }

  /** Every value of that name, in order of arrival. */
  public List<String> all(String name) {
    String lower = lower(name);
    int at = find(lower, 0);
    if (at < 0) {
      return List.of();
    }
    List<String> values = new ArrayList<>(1);
    for (; at >= 0; at = find(lower, at + 2)) {
      values.add(lines[at + 1]);
    }
    return Collections.unmodifiableList(values);
  }

  /** Whether there is a line of one of these names, which are in lower case. */
  public boolean hasAny(Set<String> names) {
    for (int at = 0; at < lines.length; at += 2) {
      if (names.contains(lines[at])) {
        return true;
      }
    }
    return false;
  }

  /** The elements of every value of that name, which are lists with commas; some may be empty. */
  public List<String> elements(String name) {
    List<String> elements = new ArrayList<>(1);
    for (String value : all(name)) {
      int start = 0;
      for (int comma = value.indexOf(','); comma >= 0; comma = value.indexOf(',', start)) {
        elements.add(value.substring(start, comma).strip());
        start = comma + 1;
      }
      elements.add(value.substring(start).strip());
    }
    return elements;
  }

  /**
   * A value as it may stand in a URL: every byte beyond ASCII is escaped as it is. So do browsers
   * with Location. Where a server means UTF-8 that is what the URL would be; where it means another
   * encoding it gets its own bytes back.
   */
  public static String escaped(String value) {
    StringBuilder escaped = new StringBuilder(value.length());
    for (int at = 0; at < value.length(); at++) {
      char character = value.charAt(at);
      if (character < 0x80) {
        escaped.append(character);
      } else {
        HEX.toHexDigits(escaped.append('%'), (byte) character);
      }
    }
    return escaped.toString();
  }

  private int find(String lower, int from) {
    for (int at = from; at < lines.length; at += 2) {
      if (lines[at].equals(lower)) {
        return at;
      }
    }
    return -1;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    Map<String, List<String>> sorted = new TreeMap<>();
    for (int at = 0; at < lines.length; at += 2) {
      sorted.computeIfAbsent(lines[at], _ -> new ArrayList<>()).add(lines[at + 1]);
    }
    return sorted.toString();
  }
}
