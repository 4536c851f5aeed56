package dev.comity.core.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Response headers, looked up without regard to case. */
public final class Headers {
  /** No headers at all. */
  public static final Headers NONE = new Headers(Map.of());

  private final Map<String, List<String>> values;

  private Headers(Map<String, List<String>> values) {
    this.values = values;
  }

  /** Headers by name; names that differ only in case are one. */
  public static Headers of(Map<String, List<String>> headers) {
    Map<String, List<String>> merged = new TreeMap<>();
    headers.forEach(
        (name, list) -> merged.computeIfAbsent(lower(name), _ -> new ArrayList<>()).addAll(list));
    merged.replaceAll((_, list) -> List.copyOf(list));
    return new Headers(merged);
  }

  /** The first value of that name. */
  public Optional<String> first(String name) {
    List<String> all = all(name);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
  }

  /** Every value of that name, in order of arrival. */
  public List<String> all(String name) {
    return values.getOrDefault(lower(name), List.of());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
