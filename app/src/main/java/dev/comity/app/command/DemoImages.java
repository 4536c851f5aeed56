package dev.comity.app.command;

import dev.comity.app.demo.DemoGallery;
import dev.comity.app.demo.DemoWeb;
import dev.comity.app.text.Words;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The images that the crawl of the demo took, beside what its gallery has. */
final class DemoImages implements CrawlListener {
  /** The hosts that make up the gallery. */
  static final List<String> HOSTS =
      List.of(
          DemoGallery.gallery().name(), DemoGallery.pictures().name(), DemoGallery.toll().name());

  /** How many bits of the hash may differ between images that look alike. */
  private static final int ALIKE = 6;

  private final Map<String, ImageFacts> taken = new TreeMap<>();
  private int urls;

  @Override
  public synchronized void settled(DomainName domain, Settlement settlement) {
    settlement
        .images()
        .taken()
        .ifPresent(
            image -> {
              urls++;
              taken.put(HexFormat.of().formatHex(image.sha256().bytes()), image);
            });
  }

  /** What was taken, what the gallery has, and what its hosts sent of the rest. */
  synchronized String judgement(DemoWeb web) {
    long open =
        DemoGallery.open().values().stream()
            .map(file -> Arrays.hashCode(file.bytes()))
            .distinct()
            .count();
    String types =
        taken.values().stream()
            .collect(
                Collectors.groupingBy(ImageFacts::mediaType, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(type -> type.getValue() + " " + type.getKey())
            .collect(Collectors.joining(", "));
    return ("The gallery has %s that may be used to train a model. The crawl took %d, at %s: %s;"
            + " %d look alike. Of pictures that a page or a header refuses, %d bytes were sent;"
            + " for %s it was told a price, and paid none.")
        .formatted(
            Words.count(open, "different picture"),
            taken.size(),
            Words.count(urls, "URL"),
            types,
            alike(),
            web.sent(DemoGallery.pictures(), DemoGallery.refused()),
            Words.count(
                web.log(DemoGallery.toll()).stream().filter(line -> line.status() == 402).count(),
                "picture"));
  }

  /** How many images look like another one. */
  private long alike() {
    return taken.keySet().stream()
        .filter(
            one ->
                taken.keySet().stream()
                    .anyMatch(other -> !one.equals(other) && areAlike(one, other)))
        .count();
  }

  private boolean areAlike(String one, String other) {
    return distance(
            Objects.requireNonNull(taken.get(one)), Objects.requireNonNull(taken.get(other)))
        <= ALIKE;
  }

  private static int distance(ImageFacts one, ImageFacts other) {
    return one.dhash().isPresent() && other.dhash().isPresent()
        ? Long.bitCount(one.dhash().getAsLong() ^ other.dhash().getAsLong())
        : Long.SIZE;
  }
}
