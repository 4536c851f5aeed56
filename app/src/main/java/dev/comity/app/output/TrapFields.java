package dev.comity.app.output;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.DomainName;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import dev.comity.web.wall.WallDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is not asked of a domain because it has no end. */
public final class TrapFields {
  private TrapFields() {}

  /** {@code 1 URL and 5 links}, if there are any. */
  public static Optional<String> spoken(long urls, long links) {
    List<String> words = new ArrayList<>();
    if (urls > 0) {
      words.add(Words.count(urls, "URL"));
    }
    if (links > 0) {
      words.add(Words.count(links, "link"));
    }
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", words));
  }

  /** A line each, for people. */
  public static List<String> words(StoreReader reader, DomainRecord domain) {
    List<String> words = new ArrayList<>();
    for (TemplateStats stats : reader.traps(domain.name())) {
      TemplateStats.Suppression why = stats.suppressed().orElseThrow();
      words.add(
          "%s is not asked since %s: %s (%s, %s left out)"
              .formatted(
                  stats.template(),
                  Timestamps.second(why.since()),
                  why.reason().words(),
                  Words.count(stats.pages(), "page"),
                  Words.count(stats.leftOut(), "link")));
    }
    reader
        .crowded(new DomainName(domain.name()).owner())
        .ifPresent(
            crowd ->
                words.add(
                    "%s of %s are known; %s to further ones were left out"
                        .formatted(
                            Words.count(crowd.known(), "sub-domain"),
                            crowd.owner(),
                            Words.count(crowd.leftOut(), "link"))));
    return words;
  }

  /** How much of it cannot be read, for no script is run. */
  public static List<String> emptyPages(StoreReader reader, DomainRecord domain) {
    long empty = reader.noted(domain.id(), WallDetector.NEEDS_SCRIPT);
    return empty == 0
        ? List.of()
        : List.of(
            Words.count(empty, "page")
                + " came "
                + WallDetector.NEEDS_SCRIPT
                + ", which is not run");
  }

  /** The same for programs. */
  public static List<Fields> fields(StoreReader reader, DomainRecord domain) {
    return reader.traps(domain.name()).stream().map(TrapFields::fields).toList();
  }

  private static Fields fields(TemplateStats stats) {
    TemplateStats.Suppression why = stats.suppressed().orElseThrow();
    return Fields.none()
        .and("template", stats.template())
        .and("since", why.since())
        .and("reason", why.reason().code())
        .and("pages", stats.pages())
        .and("left_out", stats.leftOut());
  }
}
