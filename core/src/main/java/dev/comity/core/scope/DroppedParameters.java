package dev.comity.core.scope;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.util.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Parameters of queries that say who sent a visitor, and nothing about the page. Links lose them
 * before they are queued, so that one page has one URL.
 *
 * @param names in lower case; one that ends in a star stands for all that begin so
 */
public record DroppedParameters(SortedSet<String> names) {
  public static final DroppedParameters NONE = new DroppedParameters(new TreeSet<>());

  /** Stands for the usual ones. */
  public static final String TRACKING = "tracking";

  private static final List<String> USUAL =
      List.of(
          "utm_*", "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "yclid", "twclid",
          "igshid", "mc_cid", "mc_eid", "_ga", "_gl");

  /** Characters of a name beside letters and digits. */
  private static final String SIGNS = "_.~%+[]-";

  public DroppedParameters {
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }

  /**
   * Those of these names.
   *
   * @throws IllegalArgumentException for what cannot be a name
   */
  public static DroppedParameters of(Collection<String> given) {
    SortedSet<String> names = new TreeSet<>();
    for (String name : given) {
      if (name.equals(TRACKING)) {
        names.addAll(USUAL);
      } else if (isName(name)) {
        names.add(name.toLowerCase(Locale.ROOT));
      } else {
        throw new IllegalArgumentException(
            "drop-params has %s; write names such as fbclid, beginnings such as utm_*, or tracking"
                .formatted(Printable.quoted(Printable.cut(name))));
      }
    }
    return names.isEmpty() ? NONE : new DroppedParameters(names);
  }

  private static boolean isName(String name) {
    String stem = name.endsWith("*") ? name.substring(0, name.length() - 1) : name;
    return !stem.isEmpty()
        && stem.chars()
            .allMatch(
                sign ->
                    (sign >= 'a' && sign <= 'z')
                        || (sign >= 'A' && sign <= 'Z')
                        || (sign >= '0' && sign <= '9')
                        || SIGNS.indexOf(sign) >= 0);
  }

  /** The URL without them. */
  public CrawlUrl without(CrawlUrl url) {
    if (names.isEmpty()) {
      return url;
    }
    String text = url.toString();
    int query = text.indexOf('?');
    if (query < 0) {
      return url;
    }
    List<String> kept = new ArrayList<>();
    boolean all = true;
    for (String part : text.substring(query + 1).split("&", -1)) {
      boolean dropped = drops(part);
      all &= !dropped;
      if (!dropped) {
        kept.add(part);
      }
    }
    if (all) {
      return url;
    }
    String rest = kept.isEmpty() ? "" : "?" + String.join("&", kept);
    return CrawlUrl.parse(text.substring(0, query) + rest) instanceof CrawlUrl clean ? clean : url;
  }

  private boolean drops(String part) {
    int equals = part.indexOf('=');
    String name = (equals < 0 ? part : part.substring(0, equals)).toLowerCase(Locale.ROOT);
    if (names.contains(name)) {
      return true;
    }
    for (String one : names) {
      if (one.endsWith("*") && name.startsWith(one.substring(0, one.length() - 1))) {
        return true;
      }
    }
    return false;
  }
}
