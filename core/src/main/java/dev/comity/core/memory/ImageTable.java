package dev.comity.core.memory;

import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which domains show which images, for the count of images of each domain. It is bounded: beyond
 * that the oldest are forgotten, and their images count for no domain.
 */
final class ImageTable {
  private static final int MOST = 100_000;

  /** The domains whose pages show an image URL, or a URL that redirects to it. */
  private final Map<CrawlUrl, Set<DomainName>> sources = BoundedMap.byUse(MOST);

  /** The content of image URLs that were taken. */
  private final Map<CrawlUrl, String> taken = BoundedMap.byUse(MOST);

  /** Contents that were counted for a domain. */
  private final Map<String, Boolean> counted = BoundedMap.byUse(MOST);

  /**
   * Takes in a settlement.
   *
   * @param credit hears of each domain that shows one image more
   */
  void settled(DomainName domain, Settlement settlement, Consumer<DomainName> credit) {
    settlement
        .images()
        .sightings()
        .forEach(
            sighting -> {
              sources(sighting.url()).add(domain);
              count(sighting.url(), credit);
            });
    CrawlUrl url = settlement.entry().url();
    settlement.images().taken().map(ImageTable::hash).ifPresent(hash -> taken.put(url, hash));
    if (settlement.isImage()) {
      count(url, credit);
    }
    if (settlement.location().isPresent() && sources.containsKey(url)) {
      for (QueuedUrl target : settlement.found()) {
        sources(target.url()).addAll(sources(url));
        count(target.url(), credit);
      }
    }
  }

  private Set<DomainName> sources(CrawlUrl url) {
    return sources.computeIfAbsent(url, _ -> new HashSet<>(2));
  }

  private void count(CrawlUrl url, Consumer<DomainName> credit) {
    String hash = taken.get(url);
    if (hash == null) {
      return;
    }
    for (DomainName source : sources(url)) {
      if (counted.put(source.name() + " " + hash, true) == null) {
        credit.accept(source);
      }
    }
  }

  private static String hash(ImageFacts image) {
    return HexFormat.of().formatHex(image.sha256().bytes());
  }
}
