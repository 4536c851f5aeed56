package dev.comity;

import dev.comity.core.scope.AcceptedTypes;
import dev.comity.keep.Keep;
import dev.comity.keep.KeepTerms;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What a crawl takes for pages, and what it keeps of them. */
final class ContentTerms {
  private final Set<Keep> keep = EnumSet.noneOf(Keep.class);
  private final Map<String, String> fields = new LinkedHashMap<>();
  private AcceptedTypes accepted = AcceptedTypes.NONE;

  void keep(Keep... parts) {
    keep.addAll(List.of(parts));
  }

  void select(String name, String css) {
    fields.put(name, css);
    terms();
  }

  void accept(String... types) {
    Set<String> all = new LinkedHashSet<>(accepted.types());
    all.addAll(List.of(types));
    accepted = checked(() -> AcceptedTypes.of(all));
  }

  KeepTerms terms() {
    return checked(() -> new KeepTerms(keep, fields));
  }

  AcceptedTypes accepted() {
    return accepted;
  }

  private static <T> T checked(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused(String.valueOf(wrong.getMessage()));
    }
  }
}
