package dev.comity.keep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a crawl keeps of its pages.
 *
 * @param parts the parts that are kept
 * @param fields CSS selectors by the name of their field, in the user's order; {@code
 *     CSS@attribute} selects an attribute
 */
public record KeepTerms(Set<Keep> parts, Map<String, String> fields) {
  /** Only titles are kept. */
  public static final KeepTerms NOTHING = new KeepTerms(Set.of(), Map.of());

  /** Of one crawl. */
  private static final int MOST_FIELDS = 100;

  private static final String NAME = "[A-Za-z_][A-Za-z0-9_.-]{0,63}";

  public KeepTerms {
    parts = Set.copyOf(parts);
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    if (fields.size() > MOST_FIELDS) {
      throw new IllegalArgumentException(
          "select names %d fields, but a crawl has at most %d"
              .formatted(fields.size(), MOST_FIELDS));
    }
    fields.forEach(KeepTerms::check);
  }

  private static void check(String name, String css) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "select names a field %s, but a name has letters, digits, '_', '.' and '-' only, at most 64, and begins with a letter"
              .formatted(name));
    }
    try {
      PageTree.check(css);
    } catch (IllegalArgumentException broken) {
      throw new IllegalArgumentException(
          "select %s=%s: %s".formatted(name, css, broken.getMessage()), broken);
    }
  }

  /** Whether nothing is kept beside titles. */
  public boolean isNothing() {
    return parts.isEmpty() && fields.isEmpty();
  }

  public boolean keeps(Keep part) {
    return parts.contains(part);
  }

  /** Whether a tree of each page is needed. */
  boolean needsTree() {
    return keeps(Keep.MARKDOWN) || !fields.isEmpty();
  }
}
