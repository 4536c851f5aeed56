package dev.comity.app.metrics;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;

/** Counts the images of a crawl: those that pages show, those that were taken, and the others. */
final class ImageMeters {
  private static final String ROBOTS = "robots_denied";
  private static final String WISH = "wish";
  private final Counter found;
  private final Counter stored;
  private final Map<String, Counter> skipped = new TreeMap<>();

  ImageMeters(MeterRegistry registry) {
    found =
        Counter.builder("comity.images.found")
            .description("Images that pages show, counted on each page.")
            .register(registry);
    stored =
        Counter.builder("comity.images.stored")
            .description("Image URLs that were fetched and taken.")
            .register(registry);
    skipped.put(ROBOTS, skipped(registry, ROBOTS));
    skipped.put(WISH, skipped(registry, WISH));
    for (Category category : Category.values()) {
      skipped.putIfAbsent(category.code(), skipped(registry, category.code()));
    }
  }

  private static Counter skipped(MeterRegistry registry, String reason) {
    return Counter.builder("comity.images.skipped")
        .tag("reason", reason)
        .description("Image URLs that were not taken, by reason.")
        .register(registry);
  }

  void settled(Settlement settlement) {
    if (settlement.isPage()) {
      found.increment(settlement.images().found());
    }
    if (settlement.entry().kind() != Kind.IMAGE || settlement.location().isPresent()) {
      return;
    }
    if (settlement.isImage()) {
      stored.increment();
      return;
    }
    switch (settlement.fate()) {
      case Fate.Denied(var wish) -> skip(wish.isPresent() ? WISH : ROBOTS);
      case Fate.Failed(var reason) -> skip(reason.code());
      case Fate.Done _, Fate.Skipped _ ->
          settlement.fetched().ifPresent(fetched -> skip(fetched.outcome().category().code()));
      case Fate.Suppressed _, Fate.Moved _, Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  private void skip(String reason) {
    Counter counter = skipped.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }
}
