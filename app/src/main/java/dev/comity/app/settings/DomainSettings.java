package dev.comity.app.settings;

import dev.comity.app.text.Durations;
import dev.comity.app.text.Visible;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.UrlRefusal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.TypeConversionException;

/**
 * What is set for single domains.
 *
 * @param told what the file says, by the domain's own name
 */
record DomainSettings(Map<DomainName, Map<String, Told>> told, Map<DomainName, DomainTerms> terms) {
  static final String DELAY = "delay";
  static final String CONCURRENCY = "concurrency";
  static final String MAX_PAGES = "max-pages-per-domain";
  static final DomainSettings NONE = new DomainSettings(Map.of(), Map.of());
  private static final Set<String> KNOWN = new TreeSet<>(Set.of(DELAY, CONCURRENCY, MAX_PAGES));

  /**
   * @param domains by the domain as it is written, each setting by name
   * @throws WrongSetting if a domain is none, stands twice or is told nonsense
   */
  static DomainSettings read(Map<String, Map<String, Told>> domains) {
    Map<DomainName, Map<String, Told>> told = new LinkedHashMap<>();
    Map<DomainName, DomainTerms> terms = new LinkedHashMap<>();
    domains.forEach(
        (written, said) -> {
          DomainName name = name(written, said);
          if (told.putIfAbsent(name, said) != null) {
            throw wrong("%s is %s, which stands there already".formatted(written, name), said);
          }
          terms.put(name, terms(name, said));
        });
    return new DomainSettings(told, terms);
  }

  private static DomainName name(String written, Map<String, Told> said) {
    return switch (DomainName.parse(written)) {
      case DomainName domain -> domain;
      case UrlRefusal refusal -> throw wrong(refusal.message(), said);
    };
  }

  /** By the line of what stands below it. */
  private static WrongSetting wrong(String why, Map<String, Told> said) {
    Optional<Told> first = said.values().stream().findFirst();
    return first.isPresent()
        ? Configuration.wrong("domains: " + why, first.get().origin())
        : new WrongSetting("domains: " + Visible.text(why));
  }

  private static DomainTerms terms(DomainName name, Map<String, Told> said) {
    said.forEach((key, told) -> requireKnown(name, key, told));
    return new DomainTerms(
        Optional.ofNullable(said.get(DELAY)).map(told -> delay(name, told)),
        said.containsKey(CONCURRENCY)
            ? OptionalInt.of((int) count(name, CONCURRENCY, said, Integer.MAX_VALUE))
            : OptionalInt.empty(),
        said.containsKey(MAX_PAGES)
            ? OptionalLong.of(count(name, MAX_PAGES, said, Long.MAX_VALUE))
            : OptionalLong.empty());
  }

  private static void requireKnown(DomainName name, String key, Told told) {
    if (!KNOWN.contains(key)) {
      throw Configuration.wrong(
          "no such setting for a domain: %s, for %s; there are %s"
              .formatted(key, name, String.join(", ", KNOWN)),
          told.origin());
    }
    if (told.list()) {
      throw Configuration.wrong(
          "%s for %s: it is one value, not a list".formatted(key, name), told.origin());
    }
  }

  private static Duration delay(DomainName name, Told told) {
    try {
      return new Durations().convert(told.values().getFirst());
    } catch (TypeConversionException wrong) {
      throw Configuration.wrong(
          "%s for %s: %s".formatted(DELAY, name, wrong.getMessage()), told.origin());
    }
  }

  private static long count(DomainName name, String key, Map<String, Told> said, long most) {
    Told told = said.getOrDefault(key, Told.one("", new Origin.Usual()));
    String text = told.values().getFirst();
    try {
      long count = Long.parseLong(text);
      if (count >= 1 && count <= most) {
        return count;
      }
    } catch (NumberFormatException notOne) {
      // Said below, as for a number that is too small.
    }
    throw Configuration.wrong(
        "%s for %s is %s, but must be a whole number from 1 on".formatted(key, name, text),
        told.origin());
  }
}
