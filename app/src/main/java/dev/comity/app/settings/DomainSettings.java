package dev.comity.app.settings;

import dev.comity.app.text.DurationConverter;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
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
record DomainSettings(
    Map<DomainName, Map<String, RawValue>> told, Map<DomainName, DomainTerms> terms) {
  static final String DELAY = "delay";
  static final String CONCURRENCY = "concurrency";
  static final String MAX_PAGES = "max-pages-per-domain";
  static final DomainSettings NONE = new DomainSettings(Map.of(), Map.of());
  private static final Set<String> KNOWN = new TreeSet<>(Set.of(DELAY, CONCURRENCY, MAX_PAGES));

  /**
   * @param domains by the domain as it is written, each setting by name
   * @throws WrongSetting if a domain is none, stands twice or is told nonsense
   */
  static DomainSettings read(Map<String, Map<String, RawValue>> domains) {
    Map<DomainName, Map<String, RawValue>> told = new LinkedHashMap<>();
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

  private static DomainName name(String written, Map<String, RawValue> said) {
    return switch (DomainName.parse(written)) {
      case DomainName domain -> domain;
      case UrlRefusal refusal -> throw wrong(refusal.message(), said);
    };
  }

  /** By the line of what stands below it. */
  private static WrongSetting wrong(String why, Map<String, RawValue> said) {
    Optional<RawValue> first = said.values().stream().findFirst();
    return first.isPresent()
        ? Configuration.wrong("domains: " + why, first.get().origin())
        : new WrongSetting("domains: " + Printable.text(why));
  }

  private static DomainTerms terms(DomainName name, Map<String, RawValue> said) {
    said.forEach((key, raw) -> requireKnown(name, key, raw));
    return new DomainTerms(
        Optional.ofNullable(said.get(DELAY)).map(raw -> delay(name, raw)),
        said.containsKey(CONCURRENCY)
            ? OptionalInt.of((int) count(name, CONCURRENCY, said, Integer.MAX_VALUE))
            : OptionalInt.empty(),
        said.containsKey(MAX_PAGES)
            ? OptionalLong.of(count(name, MAX_PAGES, said, Long.MAX_VALUE))
            : OptionalLong.empty());
  }

  private static void requireKnown(DomainName name, String key, RawValue raw) {
    if (!KNOWN.contains(key)) {
      throw Configuration.wrong(
          "no such setting for a domain: %s, for %s; there are %s"
              .formatted(key, name, String.join(", ", KNOWN)),
          raw.origin());
    }
    if (raw.list()) {
      throw Configuration.wrong(
          "%s for %s: it is one value, not a list".formatted(key, name), raw.origin());
    }
  }

  private static Duration delay(DomainName name, RawValue raw) {
    try {
      return new DurationConverter().convert(raw.values().getFirst());
    } catch (TypeConversionException wrong) {
      throw Configuration.wrong(
          "%s for %s: %s".formatted(DELAY, name, wrong.getMessage()), raw.origin());
    }
  }

  private static long count(DomainName name, String key, Map<String, RawValue> said, long most) {
    RawValue raw = said.getOrDefault(key, RawValue.one("", SettingOrigin.DEFAULT));
    String text = raw.values().getFirst();
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
        raw.origin());
  }
}
