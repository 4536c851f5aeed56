package dev.comity;

import dev.comity.CrawlSession.ImageCollection;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.util.BoundedMap;
import dev.comity.store.DataDirectory;
import dev.comity.store.image.ImageDirectory;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Whether a crawl collects images, how many, and which hook hears of them. */
final class ImageTerms {
  /** Words of pages about images that have no answer yet; older ones are forgotten. */
  private static final int MOST_SHOWN = 10_000;

  private final Map<CrawlUrl, ImageSighting> shown = BoundedMap.byUse(MOST_SHOWN);
  private Consumer<CollectedImage> hook = _ -> {};
  private long most;
  private long taken;

  void collect(long images) {
    most = images;
  }

  void hear(Consumer<CollectedImage> further) {
    hook = hook.andThen(further);
  }

  long most() {
    return most;
  }

  long taken() {
    return taken;
  }

  /** Empty for a crawl that only counts images. Files need a data directory. */
  Optional<ImageCollection> collection(Optional<Path> data) {
    if (most == 0) {
      return Optional.empty();
    }
    ImageMode mode = data.isPresent() ? ImageMode.FILES : ImageMode.METADATA;
    return ImageCollection.of(mode, new DataDirectory(data.orElse(Path.of(""))), false);
  }

  /** Calls the hook for an image; called by one thread at a time. */
  void settled(Settlement settlement, Optional<Path> data) {
    settlement
        .images()
        .sightings()
        .forEach(sighting -> shown.putIfAbsent(sighting.url(), sighting));
    CrawlUrl url = settlement.entry().url();
    settlement
        .location()
        .ifPresent(
            target ->
                Optional.ofNullable(shown.get(url))
                    .ifPresent(sighting -> shown.putIfAbsent(target, sighting)));
    if (settlement.isImage()) {
      taken++;
      settlement.images().taken().map(facts -> image(settlement, facts, data)).ifPresent(hook);
    }
  }

  private CollectedImage image(Settlement settlement, ImageFacts facts, Optional<Path> data) {
    CrawlUrl url = settlement.entry().url();
    Optional<ImageSighting> words = Optional.ofNullable(shown.get(url));
    String hash = HexFormat.of().formatHex(facts.sha256().bytes());
    return new CollectedImage(
        url,
        settlement.entry().referrer(),
        words.map(ImageSighting::alt).orElse(""),
        words.map(ImageSighting::caption).orElse(""),
        facts.mediaType(),
        facts.width(),
        facts.height(),
        facts.bytes(),
        hash,
        data.map(home -> home.resolve(ImageDirectory.place(hash, facts.ending()))));
  }
}
